import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTexts } from '../i18n/language';

/** The button that reveals the password is reachable by keyboard and labelled in the language of the page. */
export function Password(props: PasswordInputProps) {
  const t = useTexts();
  return <PasswordInput visibilityToggleFocusable visibilityToggleButtonProps={{ 'aria-label': t.common.showPassword }} {...props} />;
}
