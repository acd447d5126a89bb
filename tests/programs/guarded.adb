-- SPDX-License-Identifier: 0BSD
--
-- Ada: procedures of a package, and exceptions through one of them.
--
-- calls _ada_guarded 1
-- calls guards__step 16     arc guards__attempt guards__step 16
-- calls guards__attempt 16  arc _ada_guarded guards__attempt 16
-- calls guards__failed 5    arc guards__attempt guards__failed 5

with Guards;

procedure Guarded is
begin
   for I in -5 .. 10 loop
      Guards.Attempt (I);
   end loop;
   if Guards.Sum /= 60 then
      raise Program_Error;
   end if;
end Guarded;
