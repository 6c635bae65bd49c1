import { ATTACKS, OWASP_RISKS, type Risk } from './risks.ts'

const MAX_LINE = 120

/** docs/risks.md: each risk, and the tests that try it. */
export function printRisks(): string {
  return `<!-- Made from scripts/risks.ts by \`npm run generate:docs\`. Do not edit. -->

# Risks, and the tests that try them

\`scripts/risks.ts\` also names the tests in each file. [SECURITY.md](../SECURITY.md) has the threat model.

## The OWASP API Security Top 10 (2023)

${OWASP_RISKS.map(printRisk).join('\n')}

## Attacks and bad input

${ATTACKS.map(printRisk).join('\n')}
`
}

function printRisk({ risk, how, tests }: Risk): string {
  const files = Object.keys(tests).map((file) => `\`${file}\``)
  return wrap(`- **${risk}**: ${how === undefined ? '' : `${how} `}${files.join(', ')}`)
}

/** An item of a list, in lines that fit a screen. */
export function wrap(item: string): string {
  const lines = ['']
  for (const word of item.split(' ')) {
    const line = lines.at(-1) ?? ''
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length <= MAX_LINE) lines[lines.length - 1] = longer
    else lines.push(`  ${word}`)
  }
  return lines.join('\n')
}
