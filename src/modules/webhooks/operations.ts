// The operations on endpoints, each with its contract: those of the routes, which `rounds webhook` calls too.
import type { Queries } from '../../db/db.ts'
import { createListAttempts, listAttemptsContract } from './attempts/list-attempts.ts'
import type { SendDeps } from './delivery/send-signed.ts'
import { type AddDeps, addEndpointContract, createAddEndpoint } from './endpoints/add-endpoint.ts'
import { createListEndpoints, listEndpointsContract } from './endpoints/list-endpoints.ts'
import { createPauses, pauseEndpointContract, resumeEndpointContract } from './endpoints/pause-endpoint.ts'
import { createRemoveEndpoint, removeEndpointContract } from './endpoints/remove-endpoint.ts'
import { createReplayEndpoint, replayEndpointContract } from './endpoints/replay-endpoint.ts'
import { createRotateSecret, rotateSecretContract } from './endpoints/rotate-secret.ts'
import { createSkipPage, skipPageContract } from './endpoints/skip-page.ts'
import { createTestEndpoint, testEndpointContract } from './endpoints/test-endpoint.ts'

export function createOperations(db: Queries, deps: AddDeps & SendDeps) {
  const { pause, resume } = createPauses(db)
  return {
    add: { contract: addEndpointContract, run: createAddEndpoint(db, deps) },
    list: { contract: listEndpointsContract, run: createListEndpoints(db) },
    attempts: { contract: listAttemptsContract, run: createListAttempts(db) },
    test: { contract: testEndpointContract, run: createTestEndpoint(db, deps) },
    pause: { contract: pauseEndpointContract, run: pause },
    resume: { contract: resumeEndpointContract, run: resume },
    replay: { contract: replayEndpointContract, run: createReplayEndpoint(db, deps.now) },
    skip: { contract: skipPageContract, run: createSkipPage(db) },
    'rotate-secret': { contract: rotateSecretContract, run: createRotateSecret(db, deps.secrets) },
    remove: { contract: removeEndpointContract, run: createRemoveEndpoint(db) },
  }
}

export type Operations = ReturnType<typeof createOperations>
