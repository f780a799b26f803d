import type { ComponentProps, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** The components of the script `on-demand.ts`, by name. */
type OnDemand = typeof import('../on-demand.ts');

let importScript: (() => Promise<OnDemand>) | undefined;

/** Sets how the script is imported. `main.tsx` does so, because parts import nothing above them. */
export const setOnDemandImport = (load: () => Promise<OnDemand>): void => {
  importScript = load;
};

/** Loads a component of the script `on-demand.ts`. */
export const loadOnDemand = async <Name extends keyof OnDemand>(
  name: Name,
): Promise<OnDemand[Name]> => {
  if (!importScript) throw new Error('The script of components on demand is not set');
  return (await importScript())[name];
};

interface LazyOptions {
  /** True for a form that a key or a click opens: until it is there, no key is a shortcut. */
  readonly takesKeys?: boolean;
}

/** Returns a component of the script `on-demand.ts`, which loads when it is shown first, so that the first view stays small. */
export const makeLazy = <Name extends keyof OnDemand>(
  name: Name,
  { takesKeys = false }: LazyOptions = {},
): ComponentType<ComponentProps<OnDemand[Name]>> => {
  type Props = ComponentProps<OnDemand[Name]> & object;
  let loaded: ComponentType<Props> | undefined;
  const Lazy = (props: Props) => {
    const [Content, setContent] = useState<ComponentType<Props> | undefined>(() => loaded);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (loaded) return undefined;
      let isGone = false;
      loadOnDemand(name).then(
        (found) => {
          loaded = found as ComponentType<Props>;
          if (!isGone) setContent(() => loaded);
        },
        () => !isGone && setFailed(true),
      );
      return () => {
        isGone = true;
      };
    }, []);
    if (hasFailed) {
      return <p role="alert">This part could not be loaded. Reload the page to try again.</p>;
    }
    if (Content) return <Content {...props} />;
    return <p class={takesKeys ? 'muted loading-form' : 'muted'}>Loading …</p>;
  };
  return Lazy;
};
