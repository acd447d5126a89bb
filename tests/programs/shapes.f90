! SPDX-License-Identifier: 0BSD
!
! Fortran: a subroutine, and a recursive function of a module.
!
! calls main 1
! calls MAIN__ 1            arc main MAIN__ 1
! calls step_ 100           arc MAIN__ step_ 100
! calls __shapes_MOD_total 11
! arc MAIN__ __shapes_MOD_total 1
! arc __shapes_MOD_total __shapes_MOD_total 10

module shapes
contains
  recursive integer function total(n) result(sum)
    integer, intent(in) :: n
    sum = n
    if (n > 0) sum = n + total(n - 1)
  end function
end module

subroutine step(x)
  integer, intent(inout) :: x
  x = x + 1
end subroutine

program fortran
  use shapes
  integer :: i, x
  x = 0
  do i = 1, 100
    call step(x)
  end do
  if (total(10) /= 55 .or. x /= 100) stop 1
end program
