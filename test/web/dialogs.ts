import type { Page } from 'playwright-core';

/**
 * All that opens over a topic, by name, and how. The composer of the page has the topic, and its newest message is the reader's own or
 * they are an administrator.
 */
export function dialogsOf(page: Page): readonly (readonly [name: string, open: () => Promise<void>])[] {
  const newest = () => page.locator('[role=article]').last();
  const dialog = () => page.locator('dialog[open]').waitFor();
  const menu = async (of: () => Promise<void>): Promise<void> => {
    await of();
    await page.getByRole('menuitem').first().waitFor();
  };
  const rowMenu = () =>
    menu(async () => {
      await newest().focus();
      await page.keyboard.press('Enter');
    });
  const ownMenu = () => menu(() => page.getByRole('button', { name: /^Signed in as/ }).click());
  const topicMenu = () => menu(() => page.getByRole('button', { name: 'This topic' }).click());
  const item =
    (of: () => Promise<void>, name: string): (() => Promise<void>) =>
    async () => {
      await of();
      await page.getByRole('menuitem', { name, exact: true }).click();
      await dialog();
    };
  const tool = (name: string) => async (): Promise<void> => {
    await page.getByRole('textbox', { name: /^Message / }).fill('something');
    await page.getByRole('button', { name }).click();
    await dialog();
  };
  return [
    ['message-menu', rowMenu],
    ['reaction', item(rowMenu, 'Add a reaction')],
    ['edit', item(rowMenu, 'Edit')],
    ['move', item(rowMenu, 'Move…')],
    ['readers', item(rowMenu, 'Who has read it…')],
    ['remind', item(rowMenu, 'Remind me…')],
    ['delete', item(rowMenu, 'Delete')],
    ['topic-menu', topicMenu],
    ['move-topic', item(topicMenu, 'Move or rename…')],
    ['own-menu', ownMenu],
    ['status', item(ownMenu, 'Your status…')],
    ['keys', item(ownMenu, 'Keys')],
    ['snippets', tool('Saved snippets')],
    ['send-later', tool('Send later')],
    ['emoji', tool('Insert an emoji')],
    [
      'go-to',
      async () => {
        await page.keyboard.press('Control+k');
        await page.keyboard.type('a');
        await page.getByRole('option').first().waitFor();
      },
    ],
  ];
}
