import type { RegistryEvent } from '../../../shared/api/schemas/event.ts';
import { describeActor } from '../../../shared/domain/tokens/describe-actor.ts';

/** What JSON leaves as it is, and a terminal obeys or does not show. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const quote = (text: string): string =>
  JSON.stringify(text).replaceAll(unseen, (character) => {
    const code = character.codePointAt(0)?.toString(16) ?? '';
    return `\\u{${code}}`;
  });

/** An event as one line. A reason is the only text in it that may have lines of its own. */
export const formatEvent = (event: RegistryEvent): string => {
  const { sequence, at, type, from, to, reason, expires_at } = event;
  const by = describeActor(event);
  const { vulnerability, ecosystem, name, version, license } = event;
  const subject = [vulnerability, ecosystem, name, version, license]
    .filter((part) => part !== null)
    .join(' ');
  return [
    `event ${sequence} ${at} ${type} ${subject}:`,
    from === null ? to : `${from} to ${to}`,
    ...(by === null ? [] : [`by ${by}`]),
    ...(expires_at === null ? [] : [`until ${expires_at}`]),
    ...(reason === null ? [] : [`because ${quote(reason)}`]),
  ].join(' ');
};
