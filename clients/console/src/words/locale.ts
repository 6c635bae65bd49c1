// English as the browser writes it, such as en-IN or en-US; the texts of the console are English.
export const LOCALE = navigator.language.startsWith('en') ? navigator.language : 'en-GB'
