// Texts of the account panel. Players read them in their language; staff work in English.
export const accountEn = {
  password: 'Change password',
  current: 'Current password',
  next: 'New password',
  repeat: 'Repeat the new password',
  rule: (min: number) => `At least ${min} characters. Length matters most; symbols are not required.`,
  different: 'The two new passwords differ.',
  change: 'Change password',
  changed: 'Your password is changed. Every other device is signed out.',
  guest: 'You play as a guest, without a password. If you sign out, you can’t return to this balance.',
  sessions: 'Where you are signed in',
  thisDevice: 'This device',
  unknownDevice: 'Unknown device',
  since: (when: string) => `since ${when}`,
  end: 'Sign out',
  endOf: (device: string) => `Sign out ${device}`,
  endOthers: 'Sign out everywhere else',
};

export type AccountWords = typeof accountEn;

export const accountDa: AccountWords = {
  password: 'Skift adgangskode',
  current: 'Nuværende adgangskode',
  next: 'Ny adgangskode',
  repeat: 'Gentag den nye adgangskode',
  rule: (min) => `Mindst ${min} tegn. Længden tæller mest; specialtegn er ikke nødvendige.`,
  different: 'De to nye adgangskoder er forskellige.',
  change: 'Skift adgangskode',
  changed: 'Din adgangskode er skiftet. Alle andre enheder er logget ud.',
  guest: 'Du spiller som gæst, uden adgangskode. Hvis du logger ud, kan du ikke vende tilbage til denne saldo.',
  sessions: 'Her er du logget ind',
  thisDevice: 'Denne enhed',
  unknownDevice: 'Ukendt enhed',
  since: (when) => `siden ${when}`,
  end: 'Log ud',
  endOf: (device) => `Log ${device} ud`,
  endOthers: 'Log ud alle andre steder',
};

export const accountFr: AccountWords = {
  password: 'Changer de mot de passe',
  current: 'Mot de passe actuel',
  next: 'Nouveau mot de passe',
  repeat: 'Répétez le nouveau mot de passe',
  rule: (min) => `Au moins ${min} caractères. La longueur compte avant tout\u00a0; les symboles ne sont pas obligatoires.`,
  different: 'Les deux nouveaux mots de passe diffèrent.',
  change: 'Changer de mot de passe',
  changed: 'Votre mot de passe a été changé. Tous les autres appareils sont déconnectés.',
  guest: 'Vous jouez en invité, sans mot de passe. Si vous vous déconnectez, vous ne pourrez plus retrouver ce solde.',
  sessions: 'Vos appareils connectés',
  thisDevice: 'Cet appareil',
  unknownDevice: 'Appareil inconnu',
  since: (when) => `depuis le ${when}`,
  end: 'Déconnecter',
  endOf: (device) => `Déconnecter ${device}`,
  endOthers: 'Déconnecter tous les autres',
};

export const accountWords = { en: accountEn, da: accountDa, fr: accountFr };
