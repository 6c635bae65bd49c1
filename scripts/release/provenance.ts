// Where the files of a release come from: an in-toto statement with a SLSA provenance predicate (version 1). It is not signed by
// itself; SHA256SUMS lists it, and can be signed.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runIn, type Sources } from './sources.ts'

type Built = {
  into: string
  files: string[]
  version: string
  startedAt: Date
  nodeImage: string | undefined
  isDraft: boolean
  isSigned: boolean
}

export const sha256Of = async (file: string) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex')

export async function provenanceOf({ dir, revision }: Sources, built: Built): Promise<string> {
  const { into, files, version, startedAt, nodeImage, isDraft, isSigned } = built
  const subject = await Promise.all(
    files.map(async (name) => ({ name, digest: { sha256: await sha256Of(join(into, name)) } })),
  )
  const lock = {
    name: 'package-lock.json',
    digest: { sha256: await sha256Of(join(dir, 'package-lock.json')) },
  }
  const { GITHUB_WORKFLOW_REF: workflow } = process.env
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:rounds:build:npm-run-release:v1',
        externalParameters: { command: 'npm run release', version, draft: isDraft },
        internalParameters: {
          signature: isSigned
            ? 'SHA256SUMS.sig signs SHA256SUMS, which lists this statement.'
            : 'None: this statement is not signed, and proves nothing to a reader who does not trust its source.',
        },
        resolvedDependencies: [
          { name: 'sources', digest: { gitCommit: revision } },
          lock,
          ...(nodeImage ? [{ name: 'base image', uri: `docker:${nodeImage}` }] : []),
        ],
      },
      runDetails: {
        builder: {
          id: workflow ? `https://github.com/${workflow}` : 'urn:rounds:builder:own-machine',
          version: { node: process.version, npm: await runIn(dir, ['npm', '--version']) },
        },
        metadata: { startedOn: startedAt.toISOString(), finishedOn: new Date().toISOString() },
      },
    },
  }
  return `${JSON.stringify(statement, null, 2)}\n`
}
