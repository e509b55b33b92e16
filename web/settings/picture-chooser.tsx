import { type ReactNode, useRef } from 'react';
import { widgetClasses } from '../shared/widgets.js';

/** A button that asks for a picture. */
export function PictureChooser(props: {
  readonly label: string;
  readonly choose: (file: File) => void;
  /** Whether the reader may choose now; it says why not. */
  readonly isReady?: () => boolean;
}): ReactNode {
  const { label, choose, isReady = () => true } = props;
  const input = useRef<HTMLInputElement>(null);
  const open = (): void => {
    if (isReady()) input.current?.click();
  };
  return (
    <>
      <button type="button" className={widgetClasses['button']} onClick={open}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={label}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file !== undefined) choose(file);
          // The same one can be chosen again.
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}
