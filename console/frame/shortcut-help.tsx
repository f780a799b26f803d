import { useEffect, useRef } from 'preact/hooks';
import { shortcutTexts } from '../parts/shortcuts.ts';
import { changeSetting, type Setting, useSettings } from '../state/settings.ts';

const settingTexts: readonly (readonly [setting: Setting, meaning: string])[] = [
  ['keys', 'Single-key shortcuts'],
  ['undo', 'Delay each decision for 5 seconds, so that it can be undone'],
];

/** The settings of this browser. */
const SettingsForm = () => {
  const settings = useSettings();
  return (
    <fieldset>
      <legend>Settings of this browser</legend>
      {settingTexts.map(([setting, meaning]) => (
        <label key={setting} class="setting">
          <input
            type="checkbox"
            name={setting}
            checked={settings[setting]}
            onChange={(event) => changeSetting(setting, event.currentTarget.checked)}
          />
          {meaning}
        </label>
      ))}
    </fieldset>
  );
};

/** The dialog with the keyboard shortcuts and the settings. */
export const ShortcutHelp = ({ close }: { readonly close: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={close} class="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">Keyboard shortcuts</h2>
      <dl>
        {shortcutTexts.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <SettingsForm />
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
};
