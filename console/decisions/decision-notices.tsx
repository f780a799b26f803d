import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import { formatAddress, useAddress } from '../address/address.ts';
import { toKey } from '../address/version-id.ts';
import { Line, Text } from '../parts/text.tsx';
import { actions } from './actions.ts';
import { describeRequest } from './decision-requests.ts';
import { describeHeld, HeldActions, UnsentActions } from './open-request-actions.tsx';
import { type OpenRequest, useOpenRequests } from './open-requests.ts';
import type { Outcome } from './outcome.ts';
import { dismissRefusals, useOutcomes } from './outcomes.ts';

/** The most versions that a notice names. It counts the others. */
const maxNamed = 3;

const nameAll = (outcomes: readonly Outcome[]): string => {
  const named = outcomes.slice(0, maxNamed).map(({ id }) => formatPackage(id));
  const more = outcomes.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
};

const Held = ({ openRequests }: { readonly openRequests: readonly OpenRequest[] }) => (
  <>
    {openRequests.toReversed().map(({ request }, at) => (
      <p class="notice" key={request.key}>
        <span>
          <Line text={describeRequest(request)} /> {describeHeld(request)}.
        </span>{' '}
        <HeldActions request={request} isNewest={at === 0} />
      </p>
    ))}
  </>
);

const Unsent = ({ openRequests }: { readonly openRequests: readonly OpenRequest[] }) => {
  const outcomes = [...useOutcomes().values()].filter(({ doing }) => doing?.stage === 'unsent');
  if (openRequests.length === 0 || outcomes.length === 0) return null;
  return (
    <p class="notice">
      <span>
        {outcomes.length === 1
          ? '1 decision is not made yet: '
          : `${outcomes.length} decisions are not made yet: `}
        <Line text={nameAll(outcomes)} />.
      </span>{' '}
      <UnsentActions openRequests={openRequests} />
    </p>
  );
};

/** Refusals of versions that are not open. An open version shows its own refusal. */
const Refused = () => {
  const { view, id, query } = useAddress();
  const openKey = id && toKey(id);
  const unread = [...useOutcomes().values()].filter(
    (outcome) => outcome.refused && !outcome.refused.isRead && toKey(outcome.id) !== openKey,
  );
  const [first, ...others] = unread;
  if (!first?.refused) return null;
  const { action, error } = first.refused;
  const isListed = ['queue', 'attention', 'packages'].includes(view);
  const href = formatAddress({ view: isListed ? view : 'packages', id: first.id, query });
  return (
    <p class="notice bad" role="alert">
      <span>
        <a href={href}>
          <Line text={nameAll([first])} />
        </a>{' '}
        was not {actions[action].done}: <Text text={error.detail} />
        {others.length > 0 && ` ${others.length} more were refused.`}
      </span>{' '}
      <button type="button" class="plain" onClick={dismissRefusals}>
        Dismiss
      </button>
    </p>
  );
};

/** The notices of held, open and refused decisions, on every view. */
export const DecisionNotices = () => {
  const openRequests = useOpenRequests();
  const checking = openRequests.filter(({ stage }) => stage === 'checking');
  return (
    <div class="decision-notices" aria-live="polite">
      <Refused />
      <Unsent openRequests={openRequests.filter(({ stage }) => stage === 'unsent')} />
      {checking.map(({ request }) => (
        <p class="notice" key={request.key}>
          <span>
            No answer for <Line text={describeRequest(request)} />. Checking …
          </span>
        </p>
      ))}
      <Held openRequests={openRequests.filter(({ stage }) => stage === 'held')} />
    </div>
  );
};
