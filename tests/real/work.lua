-- SPDX-License-Identifier: 0BSD
-- A day in the life of a Lua program: strings, tables, closures, coroutines,
-- metatables and garbage.  It takes the same steps in every run: nothing is
-- hashed by its address (a constant nil would be, by the compiler).

local seed = 42
local function random(n)
	seed = (seed * 1103515245 + 12345) % 2147483648
	return seed // 65536 % n + 1
end

local function words(count)
	local list = {}
	for i = 1, count do
		local letters = {}
		for j = 1, 2 + random(6) do
			letters[j] = string.char(96 + random(26))
		end
		list[i] = table.concat(letters)
	end
	return list
end

local function frequencies(text)
	local count = {}
	for word in text:gmatch("%a+") do
		count[word] = (count[word] or 0) + 1
	end
	return count
end

local function by_count(count)
	local order = {}
	for word in pairs(count) do
		order[#order + 1] = word
	end
	table.sort(order, function(a, b)
		if count[a] ~= count[b] then
			return count[a] > count[b]
		end
		return a < b
	end)
	return order
end

local function queens(n)
	local found, row, up, down = 0, {}, {}, {}
	local function place(column)
		if column > n then
			found = found + 1
			return
		end
		for r = 1, n do
			local u, d = r + column, r - column + n
			if not row[r] and not up[u] and not down[d] then
				row[r], up[u], down[d] = true, true, true
				place(column + 1)
				row[r], up[u], down[d] = false, false, false
			end
		end
	end
	place(1)
	return found
end

local function permutations(list)
	local function go(n)
		if n == 0 then
			coroutine.yield(list)
		end
		for i = 1, n do
			list[n], list[i] = list[i], list[n]
			go(n - 1)
			list[n], list[i] = list[i], list[n]
		end
	end
	return coroutine.wrap(function() go(#list) end)
end

local Vector = {}
Vector.__index = Vector
Vector.__add = function(a, b)
	return setmetatable({a[1] + b[1], a[2] + b[2]}, Vector)
end
Vector.__eq = function(a, b)
	return a[1] == b[1] and a[2] == b[2]
end

local function walk(steps)
	local at = setmetatable({0, 0}, Vector)
	for _ = 1, steps do
		at = at + setmetatable({random(3) - 2, random(3) - 2}, Vector)
	end
	return at
end

local scale = tonumber(arg[1]) or 1
for round = 1, scale do
	local text = table.concat(words(30000), " ")
	local order = by_count(frequencies(text))
	print(round, #text, #order, order[1], order[#order])
	print(text:gsub("[aeiou]", string.upper):sub(1, 40))
	print("queens", queens(7))
	local count = 0
	for _ in permutations({1, 2, 3, 4, 5, 6, 7}) do
		count = count + 1
	end
	print("permutations", count)
	local at = walk(60000)
	print("walk", at[1], at[2], at == walk(0))
	print(pcall(error, {}) == false, select("#", load("return 1, 2, 3")()))
end
