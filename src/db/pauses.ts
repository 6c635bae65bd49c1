// How long to wait before a statement is sent again.

/** 25 to 500 ms: exponential backoff with jitter. */
export function pauseMsBefore(attempt: number): number {
  return Math.min(500, 25 * 2 ** attempt) * (0.5 + Math.random() / 2)
}

export async function pauseBefore(attempt: number): Promise<void> {
  await new Promise((resume) => setTimeout(resume, pauseMsBefore(attempt)))
}
