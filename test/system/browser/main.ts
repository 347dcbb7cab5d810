import { createChecks } from './checks.ts';
import { decideAtHome } from './decide.ts';
import { useKeyboard } from './keyboard.ts';
import { startChromium, startLaptop, takePictures } from './laptop.ts';
import { lookAtViews } from './looks.ts';
import { readNames } from './names.ts';
import { clickThrough } from './stand-in.ts';
import { answerInThreeActions } from './three-actions.ts';
import { viewsFrom } from './views.ts';

/**
 * `npm run test:browser [-- --pictures]`: the pages of the month's laptop in a real browser, and a
 * newcomer's in the stand-in HubSpot. With `--pictures` only the
 * pictures of the documents are taken again.
 */
const browser = await startChromium();
try {
  const laptop = await startLaptop(['--month']);
  try {
    if (process.argv.includes('--pictures')) await takePictures(browser, laptop);
    else {
      const { check, counts } = createChecks((line) => console.log(line));
      const { url } = laptop;
      const views = await viewsFrom(browser, url);
      await lookAtViews(browser, { url, views, check });
      await useKeyboard(browser, { url, views, check });
      await readNames(browser, { laptop, check });
      await answerInThreeActions(browser, { laptop, check });
      await decideAtHome(browser, { laptop, check });
      const newcomers = await startLaptop([]);
      await clickThrough(browser, { url: newcomers.hubSpotUrl, check }).finally(newcomers.close);
      console.log(`${counts.passed} passed, ${counts.failed} failed`);
      process.exitCode = counts.failed > 0 ? 1 : 0;
    }
  } finally {
    await laptop.close();
  }
} finally {
  await browser.close();
}
