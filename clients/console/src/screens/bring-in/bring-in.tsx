// Import a file: choose it, see what it holds and whose record it goes into, confirm, and see what became of it.
import { useEffect } from 'preact/hooks'
import { useApp } from '../../app.ts'
import type { Chosen, BringIn as State } from '../../bring-in/bring-in.ts'
import { useStored } from '../../hooks/store.ts'
import type { ScreenProps } from '../../screen.ts'
import { Link } from '../../ui/link.tsx'
import { Empty } from '../../ui/notice.tsx'
import { AskAboutFile } from './ask-about-file.tsx'
import './bring-in.css'
import { ChooseFile } from './choose-file.tsx'
import { Outcome } from './outcome.tsx'
import { Preview } from './preview.tsx'
import { Bringing, ReadingFile, Withdrawing } from './progress.tsx'
import { bringInChosen, readChosen, startAnew, withdrawStored } from './run-import.ts'
import { Withdrawn } from './withdraw-all.tsx'

export function BringIn(props: ScreenProps) {
  const { patientUid } = props
  const { session, bringIn } = useApp()
  const now = useStored(bringIn)
  // Who comes back begins anew, unless it is still being sent.
  useEffect(() => () => startAnew(bringIn), [])
  if (!session.person.patientUids.includes(patientUid)) {
    return (
      <Empty title="You cannot import readings for this patient.">
        <span>Only the patient, and those who care for them, can.</span>
      </Empty>
    )
  }
  if ('patientUid' in now && now.patientUid !== patientUid) return <OfAnother {...props} now={now} />
  return <Step {...props} now={now} />
}

function Step({ now, ...props }: ScreenProps & { now: State }) {
  const { patientUid, rounds } = props
  const { bringIn, catalogue } = useApp()
  const choose = async (file: File) => {
    // Without it the service says what it refuses, after the preview.
    const known = await catalogue().catch(() => undefined)
    await readChosen(bringIn, { patientUid, file, answers: {}, types: known && [...known.values()] })
  }
  const again = () => startAnew(bringIn)
  switch (now.state) {
    case 'choosing':
    case 'unreadable':
      return (
        <ChooseFile
          {...props}
          unreadable={now.state === 'unreadable' ? now : undefined}
          choose={(file) => void choose(file)}
        />
      )
    case 'reading':
      return (
        <ReadingFile
          now={now}
          stop={() => {
            now.stop()
            again()
          }}
        />
      )
    case 'asking':
      return (
        <AskAboutFile
          key={now.file.name}
          {...props}
          now={now}
          answer={(answers) => void readChosen(bringIn, { ...chosenOf(now), answers })}
          again={again}
        />
      )
    case 'previewed':
      return (
        <Preview
          {...props}
          now={now}
          confirm={() => void bringInChosen(bringIn, rounds, now)}
          askAgain={() => bringIn.set({ ...now, state: 'asking' })}
          again={again}
        />
      )
    case 'bringing':
      return <Bringing {...props} now={now} />
    case 'withdrawing':
      return <Withdrawing {...props} now={now} />
    case 'withdrawn':
      return (
        <Withdrawn
          {...props}
          now={now}
          goOn={() => void withdrawStored(bringIn, rounds, now)}
          again={again}
        />
      )
    default:
      return (
        <Outcome
          {...props}
          now={now}
          goOn={() => void bringInChosen(bringIn, rounds, now)}
          withdraw={() => void withdrawStored(bringIn, rounds, now)}
          again={again}
        />
      )
  }
}

const chosenOf = ({ patientUid, file, types }: Chosen) => ({ patientUid, file, types })

/** A carer has come to another patient while the file of one is sent: it goes on, into the record that was confirmed. */
function OfAnother({
  now,
  patientUid,
  address,
}: ScreenProps & { now: Exclude<State, { state: 'choosing' }> }) {
  const { bringIn } = useApp()
  const isRunning = now.state === 'bringing' || now.state === 'withdrawing'
  return (
    <Empty
      title={
        isRunning
          ? `A file is being imported for ${now.patientUid}.`
          : `A file was imported for ${now.patientUid}.`
      }
    >
      <span>
        {isRunning
          ? `Wait until it has ended, or stop it, before you import one for ${patientUid}.`
          : 'See what became of it, or go on.'}
      </span>
      <span class="row">
        <Link
          class="button primary"
          address={address}
          to={{ path: 'bring-in', query: { patient: now.patientUid } }}
        >
          Show it
        </Link>
        {!isRunning && (
          <button type="button" class="button" onClick={() => startAnew(bringIn)}>
            Import a file for {patientUid}
          </button>
        )}
      </span>
    </Empty>
  )
}
