/** Choices of the person, kept on the phone. A browser that forbids it forgets them. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`capture.${name}`);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`capture.${name}`, value);
  } catch {
    // Then it holds for this visit.
  }
}
