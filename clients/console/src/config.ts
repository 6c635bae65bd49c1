// What the server says about itself: where people sign in, and where the API is.
export type ConsoleConfig = {
  issuer: string
  clientId: string
  scope?: string
  resource?: string
  casesheetUrl: string
  appointmentsUrl: string
}

export async function readConfig(): Promise<ConsoleConfig> {
  const response = await fetch('/console/config.json')
  if (!response.ok) throw new Error(`The server gave no configuration of the console (${response.status}).`)
  return (await response.json()) as ConsoleConfig
}
