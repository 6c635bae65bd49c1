// A form: its fields, what went wrong, and its two buttons. What was typed is read at each change; what is wrong with it is said when it is
// sent, and the first field that is wrong gets the focus. It may be sent again: what was stored before an error is not stored twice.
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { RoundsError } from '../../../typescript/src/client.ts'
import type { Address, AddressChange } from '../address.ts'
import { useCall } from '../hooks/use-call.ts'
import { words } from '../words/words.ts'
import { Link } from './link.tsx'
import { ErrorNotice } from './notice.tsx'

type Sending<Terms, Mistakes> = {
  /** What was typed, as what to send, or what is wrong with it. */
  read: { terms: Terms } | { mistakes: Mistakes }
  /** Returns where to go then. */
  send: (terms: Terms) => Promise<AddressChange>
  /** What the service found wrong, at the fields that it names. */
  found: (error: RoundsError) => Mistakes
  address: Address
}

export function useForm<Terms, Mistakes extends object>(none: Mistakes, sending: Sending<Terms, Mistakes>) {
  const { read, send, found, address } = sending
  const form = useRef<HTMLFormElement>(null)
  const [mistakes, setMistakes] = useState(none)
  const { isBusy, error, call } = useCall()
  const show = (wrong: Mistakes) => {
    setMistakes(wrong)
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('[aria-invalid=true], .choice-missing button')?.focus(),
    )
  }
  const save = async () => {
    if ('mistakes' in read) return show(read.mistakes)
    try {
      const next = await send(read.terms)
      // Whoever has left the form meanwhile stays where they are.
      if (form.current) address.go(next)
    } catch (failure) {
      const wrong = failure instanceof RoundsError ? found(failure) : none
      if (Object.keys(wrong).length > 0) show(wrong)
      throw failure
    }
  }
  return {
    mistakes,
    show,
    /** What is typed next is not yet wrong. */
    forget: () => setMistakes(none),
    frame: { form, isBusy, error, address, save: () => void call(save) },
  }
}

type FormProps = ReturnType<typeof useForm>['frame'] & {
  class: string
  /** What the button does, in words. */
  verb: string
  /** Where leaving leads. */
  back: AddressChange
  /** Beside the buttons. */
  after?: ComponentChildren
  children: ComponentChildren
}

export function Form({
  form,
  isBusy,
  error,
  address,
  save,
  verb,
  back,
  after,
  children,
  ...rest
}: FormProps) {
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      {...rest}
    >
      {children}
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="row">
        <button type="submit" class="button primary" aria-disabled={isBusy}>
          <span class="clamp" dir="auto">
            {isBusy ? words.kit.oneMoment : verb}
          </span>
        </button>
        <Link class="button" address={address} to={back}>
          {words.kit.cancel}
        </Link>
        {after}
      </div>
    </form>
  )
}
