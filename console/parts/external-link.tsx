import type { ComponentChildren } from 'preact';
import { revealHidden } from './reveal-hidden.ts';
import { Text } from './text.tsx';

const protocols = ['http:', 'https:'];

/** Returns the URL if it is a web address; undefined for other schemes, such as `javascript:`. */
const toWebUrl = (address: string): string | undefined => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && protocols.includes(url.protocol) ? url.href : undefined;
};

/** A link to another site, from untrusted data. Shows plain text if the address is no web address. */
export const ExternalLink = ({
  address,
  children,
}: {
  readonly address: string;
  readonly children?: ComponentChildren;
}) => {
  const href = toWebUrl(address);
  if (href === undefined) return <Text text={address} />;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener" class="external-link">
      {children ?? <bdi>{revealHidden(address).slice(0, 200)}</bdi>}
    </a>
  );
};
