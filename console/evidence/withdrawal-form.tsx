import { useRef } from 'preact/hooks';
import type { VersionEvidence } from '../../shared/schemas/evidence.ts';
import { makeKey } from '../api/api.ts';
import { announce } from '../frame/announcements.ts';
import { FormActions } from '../parts/form-actions.tsx';
import { formKeys } from '../parts/form-keys.ts';
import { Failure } from '../parts/states.tsx';
import { useBorrowedFocus } from '../parts/use-borrowed-focus.ts';
import { useSession } from '../session/session.ts';
import { useSending } from './use-sending.ts';

type Accepted = NonNullable<
  NonNullable<VersionEvidence['scan']>['vulnerabilities'][number]['accepted']
>;

interface WithdrawalFormProps {
  readonly accepted: Accepted;
  readonly done: () => void;
  readonly cancel: () => void;
}

/** Asks why a vulnerability is lived with no more. */
export const WithdrawalForm = ({ accepted: { id, number }, done, cancel }: WithdrawalFormProps) => {
  const { api } = useSession();
  const reason = useRef<HTMLTextAreaElement>(null);
  const { isSending, error, send } = useSending();
  useBorrowedFocus(reason);
  const submit = (event: Event): void => {
    event.preventDefault();
    send(async () => {
      await api.withdrawAcceptance(
        { path: { id, number: String(number) }, body: { reason: reason.current?.value ?? '' } },
        { idempotencyKey: makeKey() },
      );
      announce(`${id} counts again`);
      done();
    });
  };
  return (
    <form
      class="decision-form"
      onSubmit={submit}
      onKeyDown={formKeys(cancel)}
      aria-label={`Live with ${id} no more`}
    >
      <label>
        Why does it count again?
        <textarea ref={reason} name="reason" rows={2} maxLength={2000} required />
      </label>
      {error && <Failure error={error} />}
      <FormActions isSending={isSending} cancel={cancel}>
        Take it back <kbd>Enter</kbd>
      </FormActions>
    </form>
  );
};
