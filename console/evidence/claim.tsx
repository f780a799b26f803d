import type { Claim } from '../../shared/api/schemas/claim.ts';
import type { VersionId } from '../address/version-id.ts';
import { useMutation } from '../api/use-mutation.ts';
import { ErrorMessage } from '../parts/placeholders.tsx';
import { Line } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { hasScope, useSession } from '../session/session.ts';

interface ClaimLineProps {
  readonly id: VersionId;
  /** The claim in force; null without one. */
  readonly claim: Claim | null;
  /** True if the version waits for a decision. */
  readonly isPending: boolean;
  readonly reload: () => void;
}

/** Who looks at the version now, and the button that claims its review for an hour or ends the claim. */
export const ClaimLine = ({ id, claim, isPending, reload }: ClaimLineProps) => {
  const session = useSession();
  const { isSending, error, send } = useMutation();
  const label = session.caller?.label ?? null;
  const isOwn = label !== null && claim?.by === label;
  // A claim without a name helps nobody.
  const canClaim = isPending && label !== null && hasScope(session, 'review');
  const change = (): void => {
    const { ecosystem, name, version } = id;
    send(async () => {
      await session.api.claimReview({
        ...{ path: { name }, query: { ecosystem, version } },
        body: { end: isOwn },
      });
      reload();
    });
  };
  if (!claim && !canClaim) return null;
  return (
    <div class="claim">
      {claim && (
        <span class={isOwn ? 'muted' : 'warn'}>
          {isOwn ? 'You look at it' : <Line text={`${claim.by ?? 'Somebody'} looks at it`} />}
          {' until '}
          <Time at={claim.until} />{' '}
        </span>
      )}
      {canClaim && (
        <button
          type="button"
          class="plain"
          title="Other reviewers see that you look at it. It blocks no decision."
          disabled={isSending}
          onClick={change}
        >
          {isOwn ? 'End the claim' : 'Claim for an hour'}
        </button>
      )}
      {error && <ErrorMessage error={error} />}
    </div>
  );
};
