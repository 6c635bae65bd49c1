// What the server says about itself: where people sign in, where the API is, and how tokens say who may do what.
export type ConsoleConfig = {
  issuer: string
  clientId: string
  scope?: string
  resource?: string
  casesheetUrl: string
  appointmentsUrl: string
  patientClaim?: string
  staffScope?: string
  withdrawScope?: string
}

export async function readConfig(): Promise<ConsoleConfig> {
  const response = await fetch('/console/config.json')
  if (!response.ok) throw new Error(`The server gave no configuration of the console (${response.status}).`)
  return (await response.json()) as ConsoleConfig
}
