type Text = readonly [title: string, advice: string]

/** What went wrong, and what can be done. */
export const errors = {
  ofPage: ['Something in this page failed.', 'Reload the page. If it happens again, report it.'] as Text,
  manageRequired: [
    'You may read this record, and not change it.',
    'The patient can let you, under “Shared with”.',
  ] as Text,
  notShared: [
    'This patient does not share readings with you, or no longer.',
    'The patient can share them with you, under “Shared with”.',
  ] as Text,
  reasonRequired: ['Say first why you open this record.', 'The patient sees the reason.'] as Text,
  unknownDoctor: ['The directory has no such doctor now.', 'Choose the doctor again.'] as Text,
  tooManyGrants: [
    'You share with as many doctors as is possible.',
    'Stop sharing with one of them first.',
  ] as Text,
  patientErased: [
    'The readings of this patient were erased.',
    'New ones are not accepted now. Ask those who run this service.',
  ] as Text,
  ruleUnknown: ['This rule is no longer there.', 'Somebody has removed it.'] as Text,
  ruleExists: [
    'There is such a rule already.',
    'Change that one, or let this one say something else.',
  ] as Text,
  alertUnknown: ['This alert is no longer there.', 'Reload the list.'] as Text,
  tooLate: ['It is too late to undo this.', 'Look again, and note what has changed.'] as Text,
  connectionFailed: ['The server cannot be reached.', 'Check your network, then try again.'] as Text,
  triedAgain: 'Check your network. This page tries again by itself when it is back.',
  timedOut: ['The server took too long to answer.', 'Try again in a moment.'] as Text,
  unexpectedAnswer: [
    'Something else answered in place of the server.',
    'A network that wants a sign-in of its own, such as a hotel’s, does that. Open any web page and sign in there first.',
  ] as Text,
  notAllowed: [
    'You may not do this for this patient.',
    'Check the patient id. Who may see whom is decided where you sign in.',
  ] as Text,
  refused: 'The server refused this.',
  signedOut: ['You are no longer signed in.', 'Sign in again. Nothing that you added is lost.'] as Text,
  readingGone: [
    'This reading is no longer there.',
    'It may have been erased. Reload to see what there is.',
  ] as Text,
  storageFull: [
    'This device has no more room for readings.',
    'Go online so that waiting readings are sent, or free space.',
  ] as Text,
  tooManyRequests: ['Too many requests at once.', 'Wait a minute, then try again.'] as Text,
  serverFailed: ['The server could not answer just now.', 'Try again in a moment.'] as Text,
  theRequest: 'The request',
  requestId: 'Request id, to quote when you ask for help: ',
}
