/** The outcome of the work, or that of `late` where the limit has passed first. The work itself goes on. */
export async function withinMs<T, Late>(
  work: Promise<T>,
  limitMs: number,
  late: () => Late | Promise<Late>,
): Promise<T | Late> {
  const { promise: passed, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, limitMs)
  return Promise.race([work, passed.then(late)]).finally(() => clearTimeout(timer))
}
