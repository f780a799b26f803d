import { formatAddress, toKey, useAddress } from '../address/address.ts';
import { Line, Text } from '../parts/text.tsx';
import { actions } from './actions.ts';
import { describeHeld, HeldActions, UnsentActions } from './matter-actions.tsx';
import { type Matter, useMatters } from './matters.ts';
import { noteRefusalsRead, type Outcome, useOutcomes } from './outcomes.ts';
import { describeRequest } from './requests.ts';

/** How many are named; the others are counted. */
const mostNamed = 3;

const nameAll = (outcomes: readonly Outcome[]): string => {
  const named = outcomes.slice(0, mostNamed).map(({ id }) => `${id.name} ${id.version}`);
  const more = outcomes.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
};

const Held = ({ matters }: { readonly matters: readonly Matter[] }) => (
  <>
    {matters.toReversed().map(({ request }, at) => (
      <p class="notice" key={request.key}>
        <span>
          <Line text={describeRequest(request)} /> {describeHeld(request)}.
        </span>{' '}
        <HeldActions request={request} isNewest={at === 0} />
      </p>
    ))}
  </>
);

const Unsent = ({ matters }: { readonly matters: readonly Matter[] }) => {
  const outcomes = [...useOutcomes().values()].filter(({ doing }) => doing?.stage === 'unsent');
  if (matters.length === 0 || outcomes.length === 0) return null;
  return (
    <p class="notice">
      <span>
        {outcomes.length === 1
          ? '1 decision is not made yet: '
          : `${outcomes.length} decisions are not made yet: `}
        <Line text={nameAll(outcomes)} />.
      </span>{' '}
      <UnsentActions matters={matters} />
    </p>
  );
};

/** Refusals of what is not on the screen: beside an open version its own one is shown. */
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
      <button type="button" class="plain" onClick={noteRefusalsRead}>
        Hide
      </button>
    </p>
  );
};

/** Decisions that are not made yet, or were not made after all: shown on every view. */
export const DecisionNotices = () => {
  const matters = useMatters();
  const checking = matters.filter(({ stage }) => stage === 'checking');
  return (
    <div class="decision-notices" aria-live="polite">
      <Refused />
      <Unsent matters={matters.filter(({ stage }) => stage === 'unsent')} />
      {checking.map(({ request }) => (
        <p class="notice" key={request.key}>
          <span>
            No answer for <Line text={describeRequest(request)} />; checking …
          </span>
        </p>
      ))}
      <Held matters={matters.filter(({ stage }) => stage === 'held')} />
    </div>
  );
};
