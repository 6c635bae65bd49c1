// Each risk with the tests that try it: a file, and a part of the name of each test in it. SECURITY.md has the threat model;
// test/documents/security-document.test.ts fails when one of these tests is gone.

export type Risk = { risk: string; how?: string; tests: Record<string, string[]> }

/** The OWASP API Security Top 10 of 2023, with how Rounds answers each. */
export const OWASP_RISKS: Risk[] = [
  {
    risk: 'API1 Broken object level authorization',
    how: "One place decides by the token's claim; the statement that reads checks a doctor's grant.",
    tests: {
      'test/tokens/other-patients.test.ts': [
        'gets the same answer of a patient who exists and of one who does not',
        'a query that names two patients is refused by every operation',
      ],
      'test/tokens/patient-claim.test.ts': ['the patient claim names no patient'],
      'test/grants/interleavings.lab.ts': ['interleavings of grants and reads at two processes'],
    },
  },
  {
    risk: 'API2 Broken authentication',
    how: 'Only JWTs of the configured issuers, with pinned algorithms.',
    tests: {
      'test/tokens/bearer.test.ts': ['two Authorization headers are invalid'],
      'test/tokens/token-attacks.test.ts': ['refused: '],
      'test/tokens/token-claims.test.ts': ['invalid: '],
      'test/tokens/tokens.test.ts': ['a cached token stops at its exp'],
    },
  },
  {
    risk: 'API3 Broken object property level authorization',
    how: 'Fields that belong to Rounds and unknown parameters are refused.',
    tests: {
      'src/modules/casesheet/reading.test.ts': ['a readingId of its own'],
      'test/http/bad-input.test.ts': ['refuses a query that it does not know'],
      'test/http/fuzz.lab.ts': ['requests made by chance from the document'],
    },
  },
  {
    risk: 'API4 Unrestricted resource consumption',
    how: 'Every input, queue, rate, answer and statement has a bound.',
    tests: {
      'test/http/broken-requests.test.ts': [
        'slow headers, a slow body and a silent connection are cut off in time',
      ],
      'test/http/rate-limit.test.ts': ['the sixth request of a minute is refused'],
      'test/http/large-bodies.test.ts': ['is refused at little cost'],
      'test/labs/long-range.lab.ts': ['200,000 readings are streamed'],
      'test/labs/large-reads.lab.ts': ['a process with a heap of 384 MiB survives 600 of them at once'],
      'test/image/memory.test.ts': ['it survives all of them at once'],
      'test/http/readers-gone.test.ts': ['leave, and nothing of them stays'],
      'test/database/database-away.test.ts': ['beyond the maximum of the queue'],
    },
  },
  {
    risk: 'API5 Broken function level authorization',
    how: 'Few routes need no token; staff do not add; health and metrics have their own port.',
    tests: {
      'test/http/routes.test.ts': ['every route of the server is public on purpose'],
      'test/tokens/patient-claim.test.ts': ['staff read and do not add'],
      'test/http/errors.test.ts': ['unknown paths are 404, however they are spelled'],
    },
  },
  {
    risk: 'API6 Unrestricted access to sensitive business flows',
    how: 'Repeated adds change nothing; reads are logged, and limited per subject.',
    tests: {
      'src/modules/casesheet/add/add-readings.test.ts': ['sixty copies at once'],
      'test/http/rate-limit.test.ts': ['one caller does not use up the share of another'],
      'src/modules/casesheet/access-log/access-log.test.ts': [
        'a read of the log is an entry of it from then on',
      ],
    },
  },
  {
    risk: 'API7 Server side request forgery',
    how: 'Only webhooks call an address that a caller sent. The address of each connection is checked; redirects are not followed.',
    tests: {
      'src/modules/webhooks/delivery/hostile-addresses.test.ts': [
        'names are refused when they are resolved',
        'between the check and the connection: it gets not one byte',
      ],
      'src/modules/webhooks/delivery/rogue-answers.test.ts': ['a redirect is an answer, and is not followed'],
      'test/tokens/token-attacks.test.ts': ['nothing was ever fetched because a token said so'],
      'test/tokens/issuer-outage.test.ts': ['once the issuer is well again, so is the server'],
    },
  },
  {
    risk: 'API8 Security misconfiguration',
    how: 'No default secrets; origins are listed; errors show no internals; the database role has the rights it needs.',
    tests: {
      'test/database/serving-role.test.ts': ['the serving role holds exactly these rights'],
      'test/image/compose.test.ts': ['no password is in a log, in an environment'],
      'test/image/image.test.ts': ['there is no shell, no npm'],
      'test/http/faults-told.test.ts': ['answers 500 and tells nothing of it'],
      'test/http/errors.test.ts': ['only the named web apps may call from a browser'],
      'test/readings/canaries.test.ts': ['no log line and no metric holds any of it'],
    },
  },
  {
    risk: 'API9 Improper inventory management',
    how: 'OpenAPI is generated and lacks only the routes of a short list; a release lists its contents.',
    tests: {
      'test/http/routes.test.ts': ['every route of the server is public on purpose'],
      'test/http/openapi.test.ts': ['the document is OpenAPI 3.1 and names every operation'],
      'test/sources/release.lab.ts': ['two builds of a commit have the same packages'],
    },
  },
  {
    risk: 'API10 Unsafe consumption of APIs',
    how: "An issuer's answer is bounded in size, time and keys; symmetric keys are dropped.",
    tests: {
      'test/tokens/issuer-outage.test.ts': ['503 while the issuer'],
      'test/tokens/issuer-keys.test.ts': ['2,000 unknown keys are refused'],
      'clients/typescript/test/retries.test.ts': [],
    },
  },
]

/** Attacks and bad input, one by one. */
export const ATTACKS: Risk[] = [
  {
    risk: 'Missing, misplaced or long tokens; spellings of paths and methods',
    tests: {
      'test/tokens/bearer.test.ts': [
        'missing: ',
        'invalid: ',
        'a token in the query string or in the body is none, and is not logged',
        'a token of 6 KB is invalid',
        'no spelling of a path leads around the token',
        'no method and no header that names one leads around the token',
      ],
    },
  },
  {
    risk: 'Forged signatures, algorithms, key hints and key ids; encrypted tokens',
    tests: {
      'test/tokens/token-attacks.test.ts': [
        'refused: ',
        'an encrypted token is refused before anything is decrypted',
        'a forged token without a key id costs at most five verifications',
      ],
      'test/http/broken-requests.test.ts': ['a token whose key id takes 1 MB'],
    },
  },
  {
    risk: 'Wrong or expired claims; ID, logout, refresh and DPoP tokens',
    tests: {
      'test/tokens/token-claims.test.ts': [
        'an ID token (nonce)',
        'a token bound to a DPoP key',
        'an issuer is compared to the letter',
        'a logout token (OpenID Connect Back-Channel Logout)',
        'invalid: typ ',
        'with AUTH_TOKEN_TYPE=at+jwt no token of another type',
      ],
    },
  },
  {
    risk: 'Many tokens, or many patients in one',
    tests: {
      'src/http/tokens/token-cache.test.ts': [
        'the bytes that are counted are no fewer than those that are held',
      ],
    },
  },
  {
    risk: 'Keys by http',
    tests: {
      'test/tokens/issuer-addresses.test.ts': ['an issuer by http beyond this machine'],
      'test/tokens/issuer-keys.test.ts': ['keys that were found by https are not fetched by http'],
    },
  },
  {
    risk: 'A doctor who reads on after a revocation, expiry, failover or move',
    tests: {
      'test/grants/interleavings.lab.ts': ['interleavings of grants and reads at two processes'],
      'test/cells/reads-by-grant.test.ts': ['a revocation before the switch holds in the new cell'],
    },
  },
  {
    risk: 'A doctor who sets a target after a revocation, or with a grant to view',
    tests: {
      'src/modules/care/targets/targets-by-grant.test.ts': [
        'a process that had cached it sets nothing',
        'a change that waits for a revocation in progress is refused by it',
        'no change is committed behind its answer',
        'a grant to view reads targets and sets none',
      ],
    },
  },
  {
    risk: 'A doctor who looks for types or patients that are not shared',
    tests: {
      'test/grants/limited-types.test.ts': [
        'every read shows these alone, and says so',
        'what is asked for beside them shows nothing',
        'no count, unit, page or log tells of another',
        'streams show additions, withdrawals and restorations of the granted types alone',
      ],
      'test/grants/same-refusal.test.ts': [
        'the same 403, whatever the reason',
        'a refusal takes as many statements, and as much CPU',
      ],
    },
  },
  {
    risk: 'A doctor who sets rules or acknowledges alerts after a revocation, with a grant to view, or of other types',
    tests: {
      'src/modules/care/rules/rules-by-grant.test.ts': [
        'a grant that is revoked while a rule is set or removed lets nothing be written',
        'a doctor who may only view sees rules and changes none',
      ],
      'src/modules/care/alerts/change-alert.test.ts': [
        'under a grant that is revoked meanwhile nothing is acknowledged',
      ],
      'src/modules/care/alerts/alerts.test.ts': [
        'in no list, count or history another one',
        'the patient sees once a day that the doctor looked',
      ],
    },
  },
  {
    risk: "A doctor's list as a way to more than is shared, or to a look that no one sees",
    tests: {
      'src/modules/care/patients/my-patients.test.ts': [
        'a grant of some types shows nothing of others',
        'the patient sees one look a day, however often the list is asked for',
      ],
    },
  },
  {
    risk: 'Scopes that look alike',
    tests: {
      'test/tokens/patient-claim.test.ts': ['not staff: '],
    },
  },
  {
    risk: 'Floods of unknown keys, rotation, an unavailable or hostile issuer',
    tests: {
      'test/tokens/issuer-keys.test.ts': [
        'a new key works after one fetch',
        'known keys work for a day without their issuer',
      ],
      'test/tokens/issuer-outage.test.ts': ['a hundred requests wait for one fetch'],
      'src/modules/feed/stream/withdrawn-keys.test.ts': [
        'the streams and waiting requests of a withdrawn key end within seconds',
      ],
    },
  },
  {
    risk: 'Malformed queries, wrong types, duplicate keys, prototypes, nesting, values that would change',
    tests: {
      'test/http/bad-input.test.ts': [
        'is refused, alone, in a list, and where each reading is judged',
        'that is none',
      ],
      'src/http/json/strict-json.test.ts': [],
    },
  },
  {
    risk: 'Numbers of 60,000 digits; millions of values, levels or wrong fields',
    tests: {
      'test/http/large-bodies.test.ts': [
        'is refused at little cost, with a small answer',
        'an error answer takes 16 KiB at most',
      ],
      'test/http/unread-bodies.test.ts': ['is answered before the body is read'],
      'test/sources/regular-expressions.test.ts': [],
    },
  },
  {
    risk: 'The largest pages, newest readings and statistics',
    tests: {
      'test/labs/large-reads.lab.ts': ['is answered in less than 2 MiB', 'survives 600 of them at once'],
      'src/modules/casesheet/latest/latest-readings.test.ts': ['more than a mebibyte of readings is refused'],
      'src/modules/casesheet/get/pages.test.ts': [
        'large readings do not make the pages of a stream behind them shorter',
      ],
    },
  },
  {
    risk: 'Statistics of many fields, long lists or many buckets',
    tests: {
      'src/modules/casesheet/statistics/statistics-work.test.ts': [
        '200 readings with 6,200 fields each are refused before they are summarised',
        'are sorted in memory, and twice as many are refused',
        'an answer of more than 2 MB is refused',
      ],
    },
  },
  {
    risk: 'Other types, encodings and sizes of bodies',
    tests: {
      'test/http/errors.test.ts': [
        'a body that is not JSON is 400, one that is not called so is 415',
        'one reading may take 64 KiB, a list 4 MiB, and more is 413',
      ],
    },
  },
  {
    risk: 'Ambiguous HTTP; many or large headers',
    tests: {
      'test/http/broken-requests.test.ts': [
        'lines that end with a bare LF',
        'a length and chunks',
        '1,500 headers',
      ],
    },
  },
  {
    risk: 'Callers who disconnect',
    tests: {
      'test/http/broken-requests.test.ts': ['a caller who leaves while sending is no fault of ours'],
      'test/http/readers-gone.test.ts': [],
    },
  },
  {
    risk: 'Pipelined requests; slow, endless or fragmented bodies',
    tests: {
      'test/http/pipelined-requests.test.ts': ['of 60 pipelined requests for a large answer'],
      'test/http/slow-bodies.test.ts': [
        'a body that trickles is 408',
        'large bodies beyond what memory may hold',
        'a body in pieces of a byte',
      ],
      'test/http/open-bodies.test.ts': [
        'no route leaves bytes counted',
        'goes on after its 415 fails nothing',
      ],
    },
  },
  {
    risk: 'Floods of cheap requests, forged tokens, guesses from one address',
    tests: {
      'src/http/limits/admission-control.test.ts': ['without a token that is answered at once is refused'],
      'test/http/refused-addresses.test.ts': [
        'a flood of forged tokens locks out no valid one',
        'what a client says of itself is not believed',
      ],
      'test/labs/hostile-requests.lab.ts': ['it serves others through '],
    },
  },
  {
    risk: 'Gigabytes by one subject or for one patient',
    tests: {
      'test/http/rate-limit.test.ts': [
        'a subject may send a limited number of bytes a minute',
        'a patient may get a limited number of bytes a day',
      ],
    },
  },
  {
    risk: 'The reference pages as a weapon',
    tests: {
      'test/http/public-answers.test.ts': ['the script costs no more CPU'],
    },
  },
  {
    risk: 'The console as a way in',
    tests: {
      'src/http/console/console.test.ts': [
        'no address leads out of the list of files',
        'browsers run and load nothing but what the server gives',
      ],
      'clients/console/test/sign-in.test.ts': [
        'the policy of the page is enforced',
        'a token is in the storage of the tab alone',
        'after a sign-out there is no session',
      ],
    },
  },
  {
    risk: 'Floods at the proxy, forged forwarded addresses',
    tests: {
      'test/deploy/haproxy-limits.test.ts': [
        'a flood from one address is 429 at the proxy',
        'not the one that a client claims',
      ],
    },
  },
  {
    risk: 'A database that drops, delays, refuses, turns read-only or loses answers',
    tests: {
      'src/db/batch-simulation.lab.ts': ['worlds of faults each promise of a shared statement holds'],
      'test/database/database-away.test.ts': [],
    },
  },
  {
    risk: 'Formulas and line ends in exports',
    tests: {
      'src/modules/casesheet/get/print-csv.test.ts': [],
    },
  },
  {
    risk: 'Changed packages, other licences, install scripts',
    tests: {
      'test/sources/dependencies.test.ts': [
        'every package that the image installs has a checksum',
        'has a licence that is allowed',
        'runs anything at install time',
      ],
    },
  },
  {
    risk: "Changed actions, scripts built from others' names",
    tests: {
      'test/documents/github-workflows.test.ts': [
        'every action is pinned to a commit',
        'no script is built from an expression',
        'may do no more than it needs',
      ],
    },
  },
  {
    risk: "Another user of a developer's machine; a DATABASE_URL left in the shell",
    tests: {
      'test/database/throwaway-postgres.test.ts': [
        'another user of the machine is refused by the system',
        'it listens on no port',
      ],
      'test/operators/dev-settings.test.ts': [
        'a DATABASE_URL in the environment is left alone',
        'what another user puts into TMPDIR is ignored',
      ],
    },
  },
  {
    risk: 'A compromised server that backdates readings or reads',
    tests: {
      'test/database/serving-role.test.ts': [
        'the serving role cannot say when a reading was received',
        'the serving role cannot say when a read happened',
      ],
    },
  },
  {
    risk: 'An erased patient: guessed ids, traces in statistics and files, a phone that sends again',
    tests: {
      'test/operators/patient-erase.test.ts': [
        'the record holds an HMAC under a key that the database does not have',
      ],
      'test/operators/erased-traces.test.ts': [
        'no statistics of the planner hold the id',
        'after --rewrite no data file holds an erased reading',
      ],
      'test/operators/patient-refused.test.ts': [
        'an erased patient is refused with a code of its own',
        'an add that began before the refusal is waited for',
        'no patient is refused while a running server has',
        'serves everybody else while somebody is refused, and reports that it lacks the key',
      ],
    },
  },
  {
    risk: 'A locked row that many requests need',
    tests: {
      'test/database/locked-rows.test.ts': [
        'with one row locked, 80 adds of others are answered soon',
        '300 adds of one locked row',
      ],
      'src/db/batch-simulation.lab.ts': [],
    },
  },
  {
    risk: 'Forged cursors, slow statements',
    tests: {
      'src/modules/casesheet/access-log/access-log.test.ts': ['a cursor that was made up is refused'],
      'src/modules/casesheet/access-log/find-accesses.test.ts': ['whatever the history and the cursor'],
      'test/database/connection-kinds.test.ts': ['503 after one attempt each'],
    },
  },
  {
    risk: 'Searches without an index',
    tests: {
      'test/directory/large-directory.lab.ts': ['the first page reads at most'],
    },
  },
  {
    risk: 'A missing unit; a nearly right name of a type or field',
    tests: {
      'src/modules/casesheet/catalogue/unit-spellings.test.ts': [
        'a usual spelling of a unit is refused with the one to write, and never stored',
      ],
      'src/modules/casesheet/catalogue/near-names.test.ts': [
        'a field that nearly is one of the type is refused with the right name, and that alone is said of it',
      ],
    },
  },
  {
    risk: 'A reading years ahead that hides all others',
    tests: {
      'src/modules/casesheet/latest/latest-to.test.ts': [
        'a reading three years ahead hides nothing: the newest is at most five minutes from now',
      ],
      'src/modules/casesheet/add/reading-ahead.test.ts': [
        'with the setting, readings too far ahead are refused: alone, in a list, and one by one',
      ],
    },
  },
  {
    risk: 'A fault at the end of 4 MiB',
    tests: {
      'test/http/fault-position.test.ts': [
        'the answer says line, column and byte, in words and as numbers, and repeats nothing of the body',
      ],
      'src/http/json/fault-position.test.ts': [
        'four mebibytes before the fault cost little more than reading them',
      ],
    },
  },
  {
    risk: 'Cursors of `readings/changes` that are forged, or of a lost history',
    tests: {
      'src/modules/feed/changes/forged-cursors.test.ts': [
        'a cursor with any one part forged is refused with 400 or 410',
      ],
      'test/readings/feed-restored.lab.ts': [
        'a copy into another cluster begins a new generation',
        'cursors from after the copy of a cluster that was set back are refused',
      ],
      'test/readings/feed-failover.lab.ts': [
        'after a failover that lost changes, consumers that were given them are refused, and earlier cursors go on',
      ],
    },
  },
  {
    risk: 'Corrections without a trace, undone by the wrong person, or racing with others and erasures',
    tests: {
      'src/modules/casesheet/withdraw/corrections.test.ts': [],
      'test/readings/correction-races.test.ts': [
        'a locked reading delays its own withdrawal, and no other request',
        'of withdrawals at once the first stays',
        'a withdrawal that races with an erasure',
        'a reading that is withdrawn or restored while its patient is being erased is erased too',
        'a scope for one thing gives no other',
      ],
    },
  },
  {
    risk: 'Streams: unread, many, with forged event ids, of an erased patient',
    tests: {
      'src/modules/feed/stream/hostile-streams.test.ts': [
        'a reader that takes nothing is cut at the bound of unread bytes',
        'an id of a last event that was never given, however long, gets a reset',
        'the stream of an erased patient',
      ],
      'src/modules/feed/stream/stream-readings.test.ts': ['one subject may open twenty streams, and no more'],
      'test/deploy/haproxy-streams.lab.ts': ['a stream is one connection for the limits of HAProxy'],
      'src/modules/feed/stream/stream-ends.test.ts': [
        'a client that does not read its stream does not hold up a stop',
        'a client that does not take the end of its stream is cut',
      ],
      'test/readings/stream-overload.test.ts': [
        'a flood of forged tokens, most of which are refused, ends no stream',
      ],
      'test/labs/silent-streams.lab.ts': [
        'a thousand streams that are not read hold bounded memory, and those that have too much unread are cut',
      ],
    },
  },
  {
    risk: 'A reading in the wrong cell: wrong map, old process, interrupted move',
    tests: {
      'src/modules/cells/cell.test.ts': [
        'while slots open and close under load, no add is stored in a closed slot',
        'who may not ask for a patient is refused for that, wherever the patient is',
      ],
      'test/cells/router.test.ts': ['with a wrong map requests get 421 and nothing is stored'],
      'test/cells/order.test.ts': ['without that wait, the add is in the old cell only: it is lost'],
      'test/cells/kills.test.ts': [],
      'test/cells/long/compare.test.ts': [],
    },
  },
  {
    risk: 'Many requests for changes by one service',
    tests: {
      'src/modules/feed/changes/waiting-requests.test.ts': [
        'one subject may have twenty requests waiting, also when they come at once, and another is served',
        'more requests than the queue of the database holds are all answered by one change, and others are served meanwhile',
        'a subject whose deliveries are locked delays no other one',
        'waiting, queueing and reading have one deadline together',
      ],
      'test/database/connection-kinds.test.ts': ['do not use those of other requests'],
    },
  },
  {
    risk: 'Very many withdrawn readings',
    tests: {
      'src/modules/casesheet/withdraw/withdrawn-left-out.test.ts': [
        'withdrawn readings that statistics leave out count as work before it is done',
      ],
    },
  },
  {
    risk: 'FHIR: broad scopes, dropped elements, random resources and searches',
    tests: {
      'src/modules/fhir/smart-rights.test.ts': [],
      'src/modules/fhir/rights.test.ts': [
        'an Observation of another patient is refused in the same way whether it exists or not',
        'every read is in the access log, and so is one by its id',
      ],
      'src/modules/fhir/write/add-observations.test.ts': [
        'a Bundle may have a thousand entries and 4 MiB',
        'the fields of an extension are read as strictly as a body',
      ],
      'test/fhir/fhir-fuzz.lab.ts': ['Observations with something wrong in them', 'searches for anything'],
    },
  },
  {
    risk: 'MCP: prompt injection, pages of other origins, long answers, calls that leave no trace',
    tests: {
      'src/modules/mcp/texts-as-data.test.ts': [],
      'src/modules/mcp/tools.test.ts': [
        'each call is in the access log as the operation behind it',
        'a grant that is revoked while many calls run lets none of them read afterwards',
      ],
      'src/modules/mcp/protocol.test.ts': [
        'a page may call only from an origin that the operator names',
        'what is no message of the protocol is refused with a sentence, and bounded',
      ],
    },
  },
  {
    risk: 'Webhooks: altered secrets, rogue receivers, patients beyond the filter',
    tests: {
      'src/modules/webhooks/delivery/secrets.test.ts': [
        'bytes with any one bit altered, or cut, are refused',
        'another key and another endpoint are refused',
      ],
      'src/modules/webhooks/delivery/rogue-answers.test.ts': ['at most 64 KiB of an answer are read'],
      'src/modules/webhooks/delivery/delivery.test.ts': ['no grant widens it'],
    },
  },
  {
    risk: 'Announcing the id of an erased patient',
    tests: {
      'src/modules/feed/changes/erasure-notices.test.ts': ['an id is announced until its time'],
    },
  },
]
