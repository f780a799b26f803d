import type { ComponentChildren } from 'preact';
import { revealHidden } from './reveal-hidden.ts';
import { Text } from './text.tsx';

const protocols = ['http:', 'https:'];

/** The address, if a browser can be sent there without harm. */
const toHarmless = (address: string): string | undefined => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && protocols.includes(url.protocol) ? url.href : undefined;
};

/** A link to elsewhere, which others wrote; what is no web address is text alone. */
export const ExternalLink = ({
  address,
  children,
}: {
  readonly address: string;
  readonly children?: ComponentChildren;
}) => {
  const href = toHarmless(address);
  if (href === undefined) return <Text text={address} />;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener" class="external-link">
      {children ?? <bdi>{revealHidden(address).slice(0, 200)}</bdi>}
    </a>
  );
};
