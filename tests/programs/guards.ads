-- SPDX-License-Identifier: 0BSD
-- The package of guarded.adb.
package Guards is
   Sum : Integer := 0;

   procedure Failed;
   pragma No_Inline (Failed);

   procedure Step (N : Integer);
   pragma No_Inline (Step);

   procedure Attempt (N : Integer);
   pragma No_Inline (Attempt);
end Guards;
