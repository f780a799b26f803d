import { useRef } from 'preact/hooks';
import { makeIdempotencyKey } from '../../api/client.ts';
import { MutationForm } from '../../parts/mutation-form.tsx';
import { useSession } from '../../session/session.ts';
import { announce } from '../../state/announcements.ts';
import { refreshLists } from '../../state/list-refresh.ts';

/** The form that lifts the freeze of the registry. */
export const LiftForm = ({ close }: { readonly close: () => void }) => {
  const { api } = useSession();
  const question = useRef<HTMLParagraphElement>(null);
  const submit = async (): Promise<void> => {
    await api.liftFreeze({}, { idempotencyKey: makeIdempotencyKey() });
    announce('The freeze is lifted');
    refreshLists();
    close();
  };
  return (
    <MutationForm
      label="Lift the freeze"
      field={question}
      submit={submit}
      cancel={close}
      action="Lift the freeze"
    >
      <p ref={question} tabIndex={-1}>
        Lift the freeze? Rules then evaluate all pending versions again.
      </p>
    </MutationForm>
  );
};
