import hostedGitInfo from 'hosted-git-info';

/** Makes an address of the text as the registry takes it, without user or password; undefined if it is none. */
const toAddress = (text: string | undefined, protocols: RegExp): string | undefined => {
  if (!text || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!protocols.test(url.protocol)) return undefined;
  url.username = '';
  url.password = '';
  return url.href === `${text}/` ? text : url.href;
};

/** Undefined for what is no address of a page. */
export const toHomepage = (text: string | undefined): string | undefined =>
  toAddress(text, /^https?:$/);

/** Undefined for what is no address of a repository. Understands npm's short forms too, such as `github:owner/name`, and `git@host:owner/name`. */
export const toRepository = (text: string | undefined): string | undefined => {
  const hosted = text ? hostedGitInfo.fromUrl(text.replace(/^scm:[^:]+:/, '')) : undefined;
  return (
    toAddress(text, /^(git\+)?https?:$/) ??
    hosted?.https({ noCommittish: true, noGitPlus: true }) ??
    toAddress(text, /^(git|git\+ssh|ssh):$/)
  );
};
