// Small changes of a source file, each of which a test should notice: found in its syntax tree, so that only code is changed
// and never a type, a comment or a message. A mutation is named by what it changes and not by its line, so that its name
// survives when code is moved.
import { SyntaxKind } from 'typescript/unstable/ast'
import {
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isExpressionStatement,
  isForStatement,
  isIdentifier,
  isIfStatement,
  isNumericLiteral,
  isPostfixUnaryExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isWhileStatement,
} from 'typescript/unstable/ast/is'
import { createVirtualFileSystem } from 'typescript/unstable/fs'
import { API } from 'typescript/unstable/sync'

export type Mutation = {
  /** Such as `left > 0 → left >= 0`; the second of two equal ones ends in ` #2`. */
  change: string
  line: number
  mutated: string
}

type SourceFile = NonNullable<ReturnType<ReturnType<typeof parse>['program']['getSourceFile']>>
type Node = Parameters<typeof isBlock>[0]
type Edit = { start: number; end: number; text: string; context: Node }

const OTHER_OPERATORS: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+=': '-=',
  '-=': '+=',
  '++': '--',
  '--': '++',
}

const OTHER_METHODS: Record<string, string> = {
  min: 'max',
  max: 'min',
  ceil: 'floor',
  floor: 'ceil',
  some: 'every',
  every: 'some',
  push: 'unshift',
  shift: 'pop',
  pop: 'shift',
  startsWith: 'endsWith',
}

const LONGEST_CONTEXT = 100

/** The mutations of each of these files, by path. */
export function mutationsOf(sources: Record<string, string>): Record<string, Mutation[]> {
  const { api, program } = parse(sources)
  const found = Object.entries(sources).map(([path, source]) => {
    const tree = program.getSourceFile(`/${path}`)
    if (!tree) throw new Error(`${path} was not parsed`)
    return [path, named(source, editsOf(tree), tree)] as const
  })
  api.close()
  return Object.fromEntries(found)
}

/** Nothing but these files is read: their imports do not matter here. */
function parse(sources: Record<string, string>) {
  const compilerOptions = { noResolve: true, noLib: true, types: [], allowImportingTsExtensions: true }
  const files = Object.fromEntries(Object.entries(sources).map(([path, source]) => [`/${path}`, source]))
  const config = JSON.stringify({ compilerOptions, files: Object.keys(files) })
  const api = new API({ cwd: '/', fs: createVirtualFileSystem({ ...files, '/tsconfig.json': config }) })
  const [project] = api.updateSnapshot({ openProjects: ['/tsconfig.json'] }).getProjects()
  if (!project) throw new Error('TypeScript opened no project')
  return { api, program: project.program }
}

function named(source: string, edits: Edit[], tree: SourceFile): Mutation[] {
  const seen = new Map<string, number>()
  return edits.map(({ start, end, text, context }) => {
    const [from, to] = [context.getStart(tree), context.end]
    const before = source.slice(from, to)
    const after = source.slice(from, start) + text + source.slice(end, to)
    const change = `${onOneLine(before)} → ${onOneLine(after) || 'nothing'}`
    const count = (seen.get(change) ?? 0) + 1
    seen.set(change, count)
    return {
      change: count === 1 ? change : `${change} #${count}`,
      line: source.slice(0, start).split('\n').length,
      mutated: source.slice(0, start) + text + source.slice(end),
    }
  })
}

const onOneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

function editsOf(tree: SourceFile): Edit[] {
  const edits: Edit[] = []
  visit(tree)
  return edits

  function visit(node: Node) {
    if (isTypeOrImport(node)) return
    edits.push(...editsAt(node))
    node.forEachChild((child) => visit(child))
  }

  function editsAt(node: Node): Edit[] {
    if (isNumericLiteral(node)) return numbers(node)
    if (node.kind === SyntaxKind.TrueKeyword) return [whole(node, 'false')]
    if (node.kind === SyntaxKind.FalseKeyword) return [whole(node, 'true')]
    if (isBinaryExpression(node)) return operator(node, node.operatorToken)
    if (isPostfixUnaryExpression(node) || isPrefixUnaryExpression(node)) return unary(node, node.operand)
    if (isIfStatement(node) || isConditionalExpression(node)) {
      const condition = isIfStatement(node) ? node.expression : node.condition
      return ['true', 'false'].map((text) => whole(condition, text, node))
    }
    // The other way it would never end.
    if (isWhileStatement(node)) return [whole(node.expression, 'false', node)]
    if (isForStatement(node) && node.condition) return [whole(node.condition, 'false', node)]
    if (isCallExpression(node)) return method(node.expression, node)
    return isStatementToRemove(node) ? [whole(node, isLoneStatement(node) ? ';' : '', node)] : []
  }

  /** The change of a node, shown with what stands around it unless that is long. */
  function whole(node: Node, text: string, around: Node = node.parent): Edit {
    return within(around, { start: node.getStart(tree), end: node.end, text, context: node })
  }

  function within(around: Node, edit: Edit): Edit {
    const length = around.end - around.getStart(tree)
    return length <= LONGEST_CONTEXT ? { ...edit, context: around } : edit
  }

  function numbers(node: Node): Edit[] {
    const text = textOf(node)
    const value = Number(text.replaceAll('_', ''))
    return [whole(node, String(value + 1))]
  }

  function operator(node: Node, token: Node): Edit[] {
    const other = OTHER_OPERATORS[textOf(token)]
    if (other === undefined) return []
    const edit = { start: token.getStart(tree), end: token.end, text: other, context: node }
    return [within(node.parent, edit)]
  }

  function unary(node: Node, operand: Node): Edit[] {
    const [start, end] = [node.getStart(tree), node.end]
    const isPrefix = operand.getStart(tree) > start
    const at = isPrefix ? start : operand.end
    const text = isPrefix ? tree.text.slice(start, operand.getStart(tree)) : tree.text.slice(operand.end, end)
    const other = text === '++' || text === '--' ? OTHER_OPERATORS[text] : ''
    return [within(node.parent, { start: at, end: at + text.length, text: other ?? '', context: node })]
  }

  function method(called: Node, call: Node): Edit[] {
    if (!isPropertyAccessExpression(called)) return []
    const { name, expression } = called
    if (textOf(name) === 'filter' && isIdentifier(name)) {
      return [within(call.parent, { start: expression.end, end: call.end, text: '', context: call })]
    }
    const other = OTHER_METHODS[textOf(name)]
    return other === undefined ? [] : [whole(name, other, call)]
  }

  function textOf(node: Node): string {
    return tree.text.slice(node.getStart(tree), node.end)
  }
}

function isTypeOrImport({ kind }: Node): boolean {
  return (
    kind === SyntaxKind.ImportDeclaration ||
    kind === SyntaxKind.TypeAliasDeclaration ||
    (kind >= SyntaxKind.FirstTypeNode && kind <= SyntaxKind.LastTypeNode)
  )
}

const JUMPS = new Set([
  SyntaxKind.ReturnStatement,
  SyntaxKind.ThrowStatement,
  SyntaxKind.BreakStatement,
  SyntaxKind.ContinueStatement,
])

/** Where it is all that an `if` does, the condition `false` removes it already. */
function isStatementToRemove(node: Node): boolean {
  const { parent } = node
  if (!isExpressionStatement(node) && !JUMPS.has(node.kind)) return false
  if (isIfStatement(parent)) return parent.elseStatement !== undefined
  return !isLastReturn(node)
}

/** A function that returns nothing at all would be noticed by any test. */
function isLastReturn({ kind, parent, end }: Node): boolean {
  return kind === SyntaxKind.ReturnStatement && isBlock(parent) && parent.statements.at(-1)?.end === end
}

/** Whether something must stand in its place. */
function isLoneStatement({ parent }: Node): boolean {
  return !isBlock(parent)
}
