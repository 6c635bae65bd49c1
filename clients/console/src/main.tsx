// Starts the console.
import { render } from 'preact'
import { createRoundsClient } from '../../typescript/src/client.ts'
import { readConfig } from './config.ts'
import './design/base.css'
import { Frame } from './frame.tsx'

const { casesheetUrl, appointmentsUrl } = await readConfig()
const absolute = (url: string) => new URL(url, location.href).href
const rounds = createRoundsClient({
  token: '',
  casesheetUrl: absolute(casesheetUrl),
  appointmentsUrl: absolute(appointmentsUrl),
})
const app = document.querySelector('#app')
if (app)
  render(
    <Frame
      rounds={rounds}
      patientUid={new URLSearchParams(location.search).get('patient') ?? ''}
      zone={Intl.DateTimeFormat().resolvedOptions().timeZone}
    />,
    app,
  )
