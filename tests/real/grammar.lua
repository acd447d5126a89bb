-- SPDX-License-Identifier: 0BSD
-- A C module at work: grammars of sums, words and lists, whose captures call
-- back into Lua, and errors that leave the module by a long jump.

package.cpath = arg[1] .. "/?.so"
local lpeg = require "lpeg"
local P, R, S, V, C, Cf, Cg, Ct = lpeg.P, lpeg.R, lpeg.S, lpeg.V, lpeg.C,
	lpeg.Cf, lpeg.Cg, lpeg.Ct

local operators = {
	["+"] = function(a, b) return a + b end,
	["-"] = function(a, b) return a - b end,
	["*"] = function(a, b) return a * b end,
	["/"] = function(a, b) return a // b end,
}
local function apply(a, operator, b)
	return operators[operator](a, b)
end

local blank = S " \t" ^ 0
local function chain(operand, operator)
	return Cf(operand * Cg(C(operator) * blank * operand) ^ 0, apply)
end
local sums = P {
	"sum",
	sum = chain(V "product", S "+-"),
	product = chain(V "factor", S "*/"),
	factor = (R "09" ^ 1 / tonumber + "(" * blank * V "sum" * ")") * blank,
} * -1

local list = P {
	"list",
	list = Ct("[" * (V "item" * ("," * V "item") ^ 0) ^ -1 * "]"),
	item = blank * (V "list" + C(R "az" ^ 1)) * blank,
} * -1

local function depth(t)
	local most = 0
	for _, item in ipairs(t) do
		if type(item) == "table" then
			most = math.max(most, depth(item))
		end
	end
	return most + 1
end

for round = 1, tonumber(arg[2]) do
	local terms, items = {}, "[]"
	for i = 1, 40 do
		terms[i] = ("(%d + %d) * %d"):format(i * round % 17, i, i % 5 + 1)
		items = ("[ab, %s, cd]"):format(items)
	end
	local value = sums:match(table.concat(terms, " - "))
	local nested = depth(list:match(items))
	if round % 100 == 1 then
		print(round, value, nested, sums:match("1 +"))
		print(pcall(lpeg.P, {V "x"}))
	end
end
