// The image of a release for each platform, as `docker load` takes it. Its bytes differ from build to build.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { buildOptions, onOwnBuilder, PLATFORM, runTool } from '../../test/image/builder.ts'
import { hasDocker, prepareEngine } from '../../test/image/engine.ts'
import type { Sources } from './sources.ts'

export type Images = { nodeImage: string; leftOut: string[] }

/** Another platform than this machine's is left out where its image cannot be built, with the reason. */
export async function buildImages(
  sources: Sources,
  { into, tag, platforms }: { into: string; tag: string; platforms: string[] },
): Promise<Images> {
  async function buildAll(environment: Record<string, string>): Promise<Images> {
    const leftOut = new Map<string, string>()
    for (const platform of platforms) {
      const file = join(into, fileOf(tag, platform))
      try {
        const options = [
          '--quiet',
          '--platform',
          platform,
          '--tag',
          tag,
          '--build-arg',
          `COMMIT=${sources.revision}`,
        ]
        const epoch = ['--build-arg', `SOURCE_DATE_EPOCH=${sources.committedAt}`]
        const more = await buildOptions(environment, platform)
        await runTool(['docker', 'build', ...options, ...epoch, ...more, sources.dir], environment)
        await save(tag, file, environment)
      } catch (error) {
        // Or part of an image would be checksummed and signed.
        await rm(file, { force: true })
        const why = error instanceof Error ? error.message : String(error)
        leftOut.set(platform, `the image for ${platform}: ${why}`)
      }
    }
    const reasons = [...leftOut.values()]
    if (leftOut.has(PLATFORM) || leftOut.size === platforms.length)
      throw new Error(`The release lacks ${reasons.join(' It lacks ')}`)
    return {
      nodeImage: environment['NODE_IMAGE'] ?? (await defaultNodeImage(sources.dir)),
      leftOut: reasons,
    }
  }
  const { NODE_IMAGE: named } = process.env
  if (hasDocker()) return buildAll(named ? { NODE_IMAGE: named } : {})
  return onOwnBuilder(prepareEngine(), buildAll)
}

async function defaultNodeImage(dir: string): Promise<string> {
  const [, image = ''] = /^ARG NODE_IMAGE=(\S+)$/m.exec(await readFile(join(dir, 'Dockerfile'), 'utf8')) ?? []
  return image
}

const fileOf = (tag: string, platform: string) =>
  `${tag.replace(':', '-')}-image-${platform.replace('/', '-')}.tar.gz`

async function save(tag: string, file: string, environment: Record<string, string>) {
  const child = spawn('docker', ['save', tag], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  await pipeline(child.stdout, createGzip(), createWriteStream(file))
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error(`docker save ${tag} failed.`)
  await runTool(['docker', 'image', 'rm', tag], environment)
}
