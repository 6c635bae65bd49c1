// Saves an export as a file of the browser, and says how many bytes have come so far. A file that was cut off is not saved.
export async function saveExport(response: Response, onBytes: (bytes: number) => void): Promise<string> {
  const name = fileNameOf(response) ?? 'readings'
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = response.body?.getReader()
  for (;;) {
    const part = await reader?.read()
    if (!part || part.done) break
    chunks.push(part.value)
    bytes += part.value.length
    onBytes(bytes)
  }
  const address = URL.createObjectURL(
    new Blob(chunks, { type: response.headers.get('content-type') ?? 'application/octet-stream' }),
  )
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
  return name
}

function fileNameOf(response: Pick<Response, 'headers'>): string | undefined {
  return /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1]
}
