import type { Standing } from '@tire/contracts/console';
import type { ContentTire } from '@tire/contracts/api';
import { SIGN_OF, SIGNS, type SignName } from '@tire/kernel/signs';
import type { ReactNode } from 'react';
import { useTexts } from '../i18n/language';
import './sign.css';

function SignIcon({ sign }: { readonly sign: SignName }) {
  const { outline, sign: inner, dash } = SIGNS[sign].icon;
  return (
    <svg className="sign-icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={outline} strokeDasharray={dash?.join(' ')} />
      <path d={inner} />
    </svg>
  );
}

/** The text carries the meaning; icon and colour support it. */
export function Sign({
  sign,
  large = false,
  children,
}: {
  readonly sign: SignName;
  readonly large?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <span className={`sign sign-${sign}${large ? ' sign-large' : ''}`}>
      <SignIcon sign={sign} />
      <span>{children}</span>
    </span>
  );
}

/** The verdict of a report, or why there is none: the same word, icon and colour on every page. */
export function StandingSign({ standing, large }: { readonly standing: Standing; readonly large?: boolean }) {
  const { standings } = useTexts();
  return (
    <Sign sign={SIGN_OF[standing]} large={large}>
      {standings[standing]}
    </Sign>
  );
}

/** The words of content are shown unchanged. */
export function SeveritySign({ severity, label }: { readonly severity: ContentTire['severity']; readonly label: string }) {
  return <Sign sign={SIGN_OF[severity]}>{label}</Sign>;
}
