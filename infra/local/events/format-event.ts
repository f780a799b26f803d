import type { RegistryEvent } from '../../../shared/api/schemas/event.ts';
import { describeEventActor } from '../../../shared/domain/tokens/describe-actor.ts';

/** Characters that JSON does not escape, and that a terminal interprets or hides. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const quote = (text: string): string =>
  JSON.stringify(text).replaceAll(unseen, (character) => {
    const code = character.codePointAt(0)?.toString(16) ?? '';
    return `\\u{${code}}`;
  });

/** Returns an event as one line. Line breaks of the reason are escaped. */
export const formatEvent = (event: RegistryEvent): string => {
  const { sequence, at, type, from, to, reason, expires_at, before } = event;
  const by = describeEventActor(event);
  const { vulnerability, ecosystem, name, version, license } = event;
  const subject = [type, vulnerability, ecosystem, name, version, license]
    .filter((part) => part !== null)
    .join(' ');
  return [
    `event ${sequence} ${at} ${subject}:`,
    from === null ? to : `${from} to ${to}`,
    ...(by === null ? [] : [`by ${by}`]),
    ...(expires_at === null ? [] : [`until ${expires_at}`]),
    ...(before === null ? [] : [`for versions after ${before}`]),
    ...(reason === null ? [] : [`because ${quote(reason)}`]),
  ].join(' ');
};
