-- SPDX-License-Identifier: 0BSD
package body Guards is
   procedure Failed is
   begin
      Sum := Sum + 1;
   end Failed;

   procedure Step (N : Integer) is
   begin
      if N < 0 then
         raise Constraint_Error;
      end if;
      Sum := Sum + N;
   end Step;

   procedure Attempt (N : Integer) is
   begin
      Step (N);
   exception
      when Constraint_Error => Failed;
   end Attempt;
end Guards;
