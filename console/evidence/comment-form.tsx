import { useRef } from 'preact/hooks';
import { maxCommentLength } from '../../shared/domain/review/comments.ts';
import { toKey, type VersionId } from '../address/version-id.ts';
import { makeIdempotencyKey } from '../api/client.ts';
import { updateOutcomes } from '../decisions/outcomes.ts';
import { MutationForm } from '../parts/mutation-form.tsx';
import { useSession } from '../session/session.ts';
import { announce } from '../state/announcements.ts';

/** The texts of comments that are not sent yet, by the token of their author and the key of their version. */
const drafts = new Map<string, string>();

interface CommentFormProps {
  readonly id: VersionId;
  readonly close: () => void;
}

/** The form for a comment or a question about a version. Keeps the text until the comment is sent. */
export const CommentForm = ({ id, close }: CommentFormProps) => {
  const { api, caller } = useSession();
  const text = useRef<HTMLTextAreaElement>(null);
  const question = useRef<HTMLInputElement>(null);
  // One key for all attempts: a comment whose answer was lost is not kept twice.
  const idempotencyKey = useRef(makeIdempotencyKey());
  const key = `${caller?.fingerprint ?? ''} ${toKey(id)}`;
  const submit = async (): Promise<void> => {
    const { ecosystem, name, version } = id;
    await api.commentPackage(
      {
        ...{ path: { name }, query: { ecosystem, version } },
        body: { text: text.current?.value ?? '', question: question.current?.checked ?? false },
      },
      { idempotencyKey: idempotencyKey.current },
    );
    drafts.delete(key);
    announce('The history has your comment.');
    updateOutcomes([{ id, news: 1 }]);
    close();
  };
  const change = (): void => {
    drafts.set(key, text.current?.value ?? '');
    // Another text under this key would be refused.
    idempotencyKey.current = makeIdempotencyKey();
  };
  return (
    <MutationForm
      label="Comment on the version"
      field={text}
      submit={submit}
      cancel={close}
      action={
        <>
          Comment <kbd>Enter</kbd>
        </>
      }
      onInput={change}
    >
      <label>
        Comment, without a decision. Everybody can read it.
        <textarea
          ref={text}
          name="text"
          rows={3}
          maxLength={maxCommentLength}
          required
          defaultValue={drafts.get(key) ?? ''}
        />
      </label>
      <label class="setting">
        <input ref={question} type="checkbox" name="question" /> This is a question
      </label>
    </MutationForm>
  );
};
