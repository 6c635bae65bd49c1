-- What was found equal in both cells before a move's switch. A run that finds the move finished prints it.
alter table casesheet.cell_moves
  add column compared_readings bigint,
  add column compared_accesses bigint;
