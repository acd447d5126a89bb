-- SPDX-License-Identifier: 0BSD
-- A shop's year: tables filled, indexed, joined, changed and checked.
.bail on
PRAGMA synchronous = off;
PRAGMA cache_size = 20000;
PRAGMA temp_store = memory;

CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, town TEXT);
CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT, price INTEGER);
CREATE TABLE sale (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customer,
	product INTEGER REFERENCES product, day TEXT, amount INTEGER);
CREATE TABLE log (sale INTEGER, text TEXT);
CREATE TRIGGER sold AFTER UPDATE ON sale BEGIN
	INSERT INTO log VALUES (new.id, 'was ' || old.amount);
END;

BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
INSERT INTO customer
SELECT i, printf('name %04x', i * 7919 % 65536), 'town ' || (i * 31 % 97) FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
INSERT INTO product SELECT i, 'product ' || i, i * 127 % 1999 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000)
INSERT INTO sale
SELECT i, i * 48271 % 5000 + 1, i * 16807 % 1000 + 1,
	date('2022-01-01', (i * 13 % 365) || ' days'), i % 9 + 1 FROM n;
COMMIT;

CREATE INDEX customer_town ON customer (town);
CREATE INDEX sale_customer ON sale (customer, day);
CREATE INDEX sale_product ON sale (product);
ANALYZE;

SELECT town, count(*), sum(amount * price) AS turnover
FROM sale JOIN customer ON customer.id = sale.customer
	JOIN product ON product.id = sale.product
GROUP BY town ORDER BY turnover DESC LIMIT 5;

SELECT strftime('%m', day) AS month, count(DISTINCT customer), sum(amount)
FROM sale GROUP BY month;

SELECT name, (SELECT max(day) FROM sale WHERE customer = customer.id)
FROM customer WHERE name LIKE '%f%0' ORDER BY name LIMIT 5;

SELECT a.product, b.product, count(*) AS together
FROM sale a JOIN sale b ON a.customer = b.customer AND a.product < b.product
WHERE a.product % 25 = 0 GROUP BY 1, 2 ORDER BY together DESC, 1, 2 LIMIT 5;

SELECT product, day, sum(amount) OVER (PARTITION BY product ORDER BY day, id)
FROM sale WHERE product IN (1, 10, 100) ORDER BY id LIMIT 5;

UPDATE sale SET amount = amount + 1 WHERE customer % 10 = 0;
DELETE FROM sale WHERE product IN (SELECT id FROM product WHERE price < 100);
SELECT count(*), sum(amount), (SELECT count(*) FROM log) FROM sale;
SELECT group_concat(upper(name), ', ')
FROM (SELECT name FROM product ORDER BY price, id LIMIT 5);
VACUUM;
PRAGMA integrity_check;
