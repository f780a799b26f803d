import { useRef } from 'preact/hooks';
import { makeIdempotencyKey } from '../../api/client.ts';
import { useMutation } from '../../api/use-mutation.ts';
import { FormActions } from '../../parts/form-actions.tsx';
import { formKeys } from '../../parts/form-keys.ts';
import { ErrorMessage } from '../../parts/placeholders.tsx';
import { useFocusRestore } from '../../parts/use-focus-restore.ts';
import { useSession } from '../../session/session.ts';
import { announce } from '../../state/announcements.ts';
import { refreshLists } from '../../state/list-refresh.ts';

/** The form that lifts the freeze of the registry. */
export const LiftForm = ({ close }: { readonly close: () => void }) => {
  const { api } = useSession();
  const question = useRef<HTMLParagraphElement>(null);
  const { isSending, error, send } = useMutation();
  useFocusRestore(question);
  const submit = (event: Event): void => {
    event.preventDefault();
    send(async () => {
      await api.liftFreeze({}, { idempotencyKey: makeIdempotencyKey() });
      announce('The freeze is lifted');
      refreshLists();
      close();
    });
  };
  return (
    <form
      class="decision-form"
      onSubmit={submit}
      onKeyDown={formKeys(close)}
      aria-label="Lift the freeze"
    >
      <p ref={question} tabIndex={-1}>
        Lift the freeze? Rules then evaluate all pending versions again.
      </p>
      {error && <ErrorMessage error={error} />}
      <FormActions isSending={isSending} cancel={close}>
        Lift the freeze
      </FormActions>
    </form>
  );
};
