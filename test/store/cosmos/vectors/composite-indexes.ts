// Which ORDER BY a composite index serves: the table of Microsoft's page on indexing policies, and its rules for more paths (the same paths in the
// same order, all directions as they are or all reversed).

type Order = readonly `${string} ${'ASC' | 'DESC'}`[]

export const served: readonly { readonly index: Order; readonly orderBy: Order; readonly served: boolean }[] = [
  { index: ['name ASC', 'age ASC'], orderBy: ['name ASC', 'age ASC'], served: true },
  { index: ['name ASC', 'age ASC'], orderBy: ['age ASC', 'name ASC'], served: false },
  { index: ['name ASC', 'age ASC'], orderBy: ['name DESC', 'age DESC'], served: true },
  { index: ['name ASC', 'age ASC'], orderBy: ['name ASC', 'age DESC'], served: false },
  { index: ['name ASC', 'age DESC'], orderBy: ['name DESC', 'age ASC'], served: true },
  { index: ['name ASC', 'age ASC', 'time ASC'], orderBy: ['name ASC', 'age ASC', 'time ASC'], served: true },
  { index: ['name ASC', 'age ASC', 'time ASC'], orderBy: ['name ASC', 'age ASC'], served: false },
  { index: ['name ASC', 'age ASC'], orderBy: ['name ASC', 'age ASC', 'time ASC'], served: false },
]
