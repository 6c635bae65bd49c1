// What `rounds patient --help` and `rounds access-log --help` say.

const NEEDED = `Needed:
  DATABASE_URL              postgres:// address of the role that ran "rounds migrate"; the serving role may do none of this
`

export const PATIENT_HELP = `rounds patient export UID --by YOU [--output FILE]: write everything that is held of a patient.
rounds patient erase UID --by YOU [--refuse-until TIME] [--rewrite] [--dry-run | --yes]: remove everything that is held of a patient.

  --by YOU                  who you are, for the record: your name or your address

export writes lines of JSON: {"export":…}, a {"reading":…,"addedBy":…} for each reading as it was sent, an {"access":…} for
each entry of the access log, and {"end":…}, which counts the others. It is a read, and the access log says so first.

  --output FILE             a new file, which only you may read (standard output)

erase deletes the readings and the patient's own reads from the access log. Reads by staff stay, without the patient's name.
A row of casesheet.erasures keeps when, who, how many, and an HMAC of UID. Take the patient's tokens away at the issuer first,
or refuse adds: otherwise a device that sends again stores its readings anew. The WAL and backups hold the patient until they
expire, and so does free space of the data files until it is used again, unless --rewrite is given.

  --refuse-until TIME       refuse adds for this patient until then, for at most 400 days: a day such as 2027-01-31 (from
                            0:00 UTC), or a time such as 2027-01-31T12:00:00Z. Give ERASURE_KEY to every server first.
  --rewrite                 write the two partitions that held the patient into new files. Meanwhile reads of all patients
                            wait, and adds of those in the partitions, one in 32
  --dry-run                 change nothing, only say what would be removed
  --yes                     do not ask

${NEEDED}  ERASURE_KEY               for erase: at least 32 random bytes in base64 or hex ("openssl rand -base64 32"). Keep it outside
                            the database and its backups, and keep it: under another key, no erasure is found again

Examples:
  DATABASE_URL=postgres://owner@localhost/rounds npx rounds patient export patient-1 --by me@clinic.example --output patient-1.ndjson
  DATABASE_URL=postgres://owner@localhost/rounds npx rounds patient erase patient-1 --by me@clinic.example --dry-run
`

export const ACCESS_LOG_HELP = `rounds access-log trim --before DAY --by YOU [--dry-run | --yes]: remove old entries of the access log for good.

A row of casesheet.access_log_trims keeps when, who, from before which day, and how many.

  --before DAY              entries from before this day (UTC) are removed, such as 2020-12-31
  --by YOU                  who you are, for the record: your name or your address
  --dry-run                 change nothing, only say how many would be removed
  --yes                     do not ask

${NEEDED}
Example:
  DATABASE_URL=postgres://owner@localhost/rounds npx rounds access-log trim --before 2020-12-31 --by me@clinic.example --dry-run
`
