// The image of a release for each platform, as `docker load` takes it. Its bytes differ from build to build.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { buildOptions, onOwnBuilder, runTool } from '../../test/image/builder.ts'
import { hasDocker, prepareEngine } from '../../test/image/engine.ts'
import type { Sources } from './sources.ts'

export type Images = { nodeImage: string; leftOut: string[] }

/** A platform whose image cannot be built here is left out, with the reason; at least one must be built. */
export async function buildImages(
  sources: Sources,
  { into, tag, platforms }: { into: string; tag: string; platforms: string[] },
): Promise<Images> {
  async function buildAll(environment: Record<string, string>): Promise<Images> {
    const leftOut: string[] = []
    for (const platform of platforms) {
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
        await save(tag, join(into, fileOf(tag, platform)), environment)
      } catch (error) {
        leftOut.push(`the image for ${platform}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    if (leftOut.length === platforms.length) throw new Error(`No image was built: ${leftOut.join(' ')}`)
    return { nodeImage: environment['NODE_IMAGE'] ?? (await defaultNodeImage(sources.dir)), leftOut }
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
