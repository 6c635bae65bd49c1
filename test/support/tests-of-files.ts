// What no import and no text shows: which tests belong to a file. All rows that match hold; the globs of one string are divided by
// spaces. A row without tests names what no test of `npm test` reads: checks and labs of their own hold it.

export const ALL = '{src,test,tools}/**/*.test.ts clients/*/test/*.test.ts'

/** One small test of each large part, over HTTP. */
const END_TO_END = `test/http/{routes,errors,openapi}.test.ts src/modules/appointments/list-doctors.test.ts
  src/modules/casesheet/{add/add-readings,get/get-readings,grants/grants}.test.ts src/modules/feed/changes/changes.test.ts
  src/modules/care/{targets/targets,patients/my-patients}.test.ts src/modules/webhooks/endpoints/*.test.ts`

/** Journeys that go through most screens. */
const JOURNEYS =
  'clients/console/test/{first-screen,frame,screens,forms,add,today,my-patients,person,words}.test.ts'

const DATABASE = 'test/database/*.test.ts'
const SOURCES = 'test/sources/boundaries.test.ts'
const CONTRACTS = `${SOURCES} test/http/routes.test.ts test/documents/openapi-examples.test.ts`
const DOCUMENTS = 'test/documents/documents.test.ts'
const OPERATING =
  'test/deploy/{operations-guide,runbook-rights}.test.ts test/readings/feed-{restored,failover}.test.ts'

export const TESTS_OF: readonly (readonly [files: string, tests: string])[] = [
  // What every test needs, or is built with.
  ['package-lock.json .npmrc scripts/use-node.sh', ALL],
  ['test/support/{global-setup,harness,process-limits,run-tests}.ts', ALL],
  ['tools/dev/{find-postgres,run-sql,throwaway-postgres}.ts', ALL],
  ['package.json', 'test/sources/*.test.ts test/operators/first-command.test.ts test/documents/*.test.ts'],

  // The core.
  ['src/*.ts', `${SOURCES} ${END_TO_END}`],
  ['src/cli.ts src/commands/*.ts', 'test/operators/{commands,first-command,settings,json-log}.test.ts'],
  ['src/config/**', `${END_TO_END} test/operators/settings.test.ts test/tokens/issuer-addresses.test.ts`],
  ['src/db/**', `${SOURCES} ${END_TO_END} ${DATABASE}`],
  ['src/db/migrate/**', 'test/operators/commands.test.ts'],
  ['src/http/**', `${SOURCES} ${END_TO_END} test/http/*.test.ts`],
  ['src/http/tokens/**', 'test/tokens/*.test.ts'],
  ['src/http/console/**', 'clients/console/test/{first-screen,sign-in,offline}.test.ts'],
  ['src/metrics/**', 'test/http/metrics*.test.ts test/deploy/monitoring.test.ts'],
  ['src/server/**', `${SOURCES} ${END_TO_END} test/operators/{process*,settings,stop-delay}.test.ts`],
  ['src/server/**', 'test/http/{metrics*,public-answers,faults-told}.test.ts'],

  // The modules: what proves them elsewhere than in their folder.
  ['src/modules/**', CONTRACTS],
  ['src/modules/appointments/**', 'test/directory/*.test.ts'],
  ['src/modules/appointments/import/**', 'test/operators/import.test.ts'],
  ['src/modules/casesheet/{*,add/*,get/*,withdraw/*}', 'test/readings/{canaries,copies,correction*}.test.ts'],
  ['src/modules/casesheet/{access.ts,grants/*}', 'test/grants/*.test.ts test/tokens/other-patients.test.ts'],
  ['src/modules/casesheet/catalogue/*', 'clients/typescript/test/reading-types.test.ts'],
  ['src/modules/feed/**', 'test/readings/{changes,feed,stream}*.test.ts'],
  ['src/modules/care/{alerts,evaluation,rules}/*', 'test/care/alerts*.test.ts'],
  ['src/modules/care/{patients,summaries,targets}/*', 'test/care/{list,summaries}*.test.ts'],
  ['src/modules/care/summaries/*', 'test/operators/care-rebuild.test.ts'],
  ['src/modules/care/*', 'test/care/*.test.ts'],
  ['src/modules/fhir/**', 'test/fhir/**/*.test.ts test/documents/fhir*.test.ts'],
  ['src/modules/mcp/**', 'test/documents/mcp-guide.test.ts'],
  ['src/modules/operators/**', 'test/operators/{access-log-trim,erased-traces,patient-*}.test.ts'],
  ['src/modules/webhooks/**', 'test/webhooks/*.test.ts test/operators/webhook-command.test.ts'],

  // Migrations: a new one without a row runs everything.
  ['migrations/0001-*.sql', `${DATABASE} ${END_TO_END}`],
  ['migrations/*-directory.sql', `${DATABASE} src/modules/appointments/**/*.test.ts`],
  [
    'migrations/*-readings.sql',
    `${DATABASE} src/modules/casesheet/**/*.test.ts test/operators/{patient,erased}*.test.ts`,
  ],
  ['migrations/*-feed.sql', `${DATABASE} src/modules/feed/**/*.test.ts test/readings/*.test.ts`],
  [
    'migrations/*-grants.sql',
    `${DATABASE} src/modules/casesheet/{access-log,grants}/*.test.ts test/grants/*.test.ts`,
  ],
  ['migrations/*-care.sql', `${DATABASE} src/modules/care/**/*.test.ts test/care/*.test.ts`],
  ['migrations/*-webhooks.sql', `${DATABASE} src/modules/webhooks/**/*.test.ts test/webhooks/*.test.ts`],
  ['migrations/fhir.sql', `${DATABASE} src/modules/fhir/**/*.test.ts test/fhir/**/*.test.ts`],

  // Clients.
  ['clients/console/{index.html,*.ts,src/**}', JOURNEYS],
  ['clients/console/src/screens/*/**', 'clients/console/test/{keyboard,no-judgement}.test.ts'],
  ['clients/console/src/screens/export/*', 'clients/console/test/files.test.ts'],
  ['clients/console/src/screens/sharing/*', 'clients/console/test/grant*.test.ts'],
  ['clients/console/src/session/*', 'clients/console/test/{sign-in,session-ended,renewal}.test.ts'],
  ['clients/console/src/{outbox,storage}/*', 'clients/console/test/{offline,refused,undo,waiting}.test.ts'],
  ['clients/console/test/*.ts', 'clients/console/test/words.test.ts'],
  ['clients/typescript/src/**', 'clients/typescript/test/*.test.ts clients/console/test/add.test.ts'],
  ['clients/typescript/src/import/**', 'clients/console/test/bring-in.test.ts test/operators/import.test.ts'],
  ['clients/typescript/**/*.{json,mjs,md}', 'clients/typescript/test/package.test.ts'],
  ['clients/conformance-cases.json', 'clients/{typescript,python}/test/conformance*.test.ts'],
  ['clients/python/**', 'clients/python/test/*.test.ts'],

  // Tools, what is deployed, documents.
  ['bin/*', 'test/operators/{commands,first-command}.test.ts'],
  ['tools/dev/**', 'test/operators/dev-*.test.ts test/documents/readme.test.ts'],
  ['tools/simulate/**', 'test/operators/simulate*.test.ts'],
  ['deploy/haproxy/*', 'test/deploy/haproxy-*.test.ts'],
  ['deploy/kubernetes/**', 'test/deploy/deploy-kubernetes.test.ts'],
  ['deploy/compose/* compose.yaml Dockerfile .dockerignore', 'test/deploy/deploy-*.test.ts'],
  ['deploy/monitoring/*', 'test/deploy/*monitoring.test.ts test/deploy/deploy-kubernetes.test.ts'],
  ['deploy/systemd/*', 'test/deploy/{one-machine,backup}.test.ts'],
  ['.env.example', 'test/operators/settings.test.ts'],
  ['**/*.md', DOCUMENTS],
  ['docs/{one-machine,scale,settings,tables}.md', 'test/operators/settings.test.ts'],
  ['README.md', 'test/documents/readme.test.ts'],
  ['docs/operations/*', OPERATING],
  ['.github/**', 'test/documents/github-workflows.test.ts'],
  ['scripts/release{.ts,/**}', 'test/sources/release.test.ts'],
  ['scripts/*.{ts,mjs} scripts/openapi-types/*', 'test/sources/*.test.ts test/operators/settings.test.ts'],

  // No test of `npm test` reads these.
  ['.ci/* .gitattributes .gitignore LICENSE NOTICE **/{LICENSE,NOTICE} docs/*.{png,svg,webp}', ''],
  ['.oxlintrc.json biome.json knip.json tsconfig*.json clients/console/tsconfig.json', ''],
  [
    'bench/** deploy/image/* deploy/shards/* scripts/*.sh scripts/openapi-types/.npmrc src/**/sizing-figures.json',
    '',
  ],
  ['**/*.lab.ts test/{faults,fuzz,image,labs,limits,load,mutants}/** test/support/run-one.ts', ''],
]
