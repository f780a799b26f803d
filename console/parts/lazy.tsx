import type { ComponentProps, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** The components of the script `on-demand.ts`, by name, and a function. */
type OnDemand = typeof import('../on-demand.ts');
type ComponentName = Exclude<keyof OnDemand, 'showInFavicon'>;

let importScript: (() => Promise<OnDemand>) | undefined;
let script: OnDemand | undefined;

const loadScript = async (): Promise<OnDemand> => {
  if (!importScript) throw new Error('The script of components on demand is not set');
  script ??= await importScript();
  return script;
};

/**
 * Sets how the script is imported, and imports it after the page has loaded, so that forms open at once. `main.tsx` calls it,
 * because parts import nothing above them.
 */
export const setOnDemandImport = (load: () => Promise<OnDemand>): void => {
  importScript = load;
  // A failure shows when a part is needed.
  addEventListener('load', () => loadScript().catch(() => undefined));
};

/** Loads a part of the script `on-demand.ts`. */
export const loadOnDemand = async <Name extends keyof OnDemand>(
  name: Name,
): Promise<OnDemand[Name]> => (await loadScript())[name];

interface LazyOptions {
  /** True for a form that a key or a click opens: until it is there, no key is a shortcut. */
  readonly takesKeys?: boolean;
}

/** Returns a component of the script `on-demand.ts`, which loads when it is shown first, so that the first view stays small. */
export const makeLazy = <Name extends ComponentName>(
  name: Name,
  { takesKeys = false }: LazyOptions = {},
): ComponentType<ComponentProps<OnDemand[Name]>> => {
  type Props = ComponentProps<OnDemand[Name]> & object;
  const find = () => script?.[name] as ComponentType<Props> | undefined;
  const Lazy = (props: Props) => {
    const [, setLoaded] = useState(find() !== undefined);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (find()) return undefined;
      let isGone = false;
      loadScript().then(
        () => !isGone && setLoaded(true),
        () => !isGone && setFailed(true),
      );
      return () => {
        isGone = true;
      };
    }, []);
    if (hasFailed) {
      return <p role="alert">This part could not be loaded. Reload the page to try again.</p>;
    }
    const Content = find();
    if (Content) return <Content {...props} />;
    return <p class={takesKeys ? 'muted loading-form' : 'muted'}>Loading …</p>;
  };
  return Lazy;
};
