// The addresses of the screens that are named in other places than their entry.

/** All patients of one person; where the token names one alone, there is no such screen. */
export const EVERYONE = 'everyone'

/** The patients who share with a doctor; for others there is no such screen. */
export const MY_PATIENTS = 'my-patients'

/** The targets and rules of a doctor for all who share with them. */
export const FOR_ALL = 'for-all'
