// What stands around every screen, and which screen an address names. A screen is loaded when it is first shown.
import { type ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useAddress } from './address.ts'
import type { ScreenProps } from './screen.ts'

type Screen = ComponentType<ScreenProps>

const SCREENS: Record<string, { name: string; load: () => Promise<Screen> }> = {
  today: { name: 'Today', load: async () => (await import('./screens/today/today.tsx')).Today },
  charts: { name: 'Charts', load: async () => (await import('./screens/charts/charts.tsx')).Charts },
}

export function Frame(props: Omit<ScreenProps, 'address'>) {
  const address = useAddress()
  const [loaded, setLoaded] = useState<{ path: string; Screen: Screen }>()
  useEffect(() => {
    let isCurrent = true
    const { path } = address
    const show = async () => {
      const Screen = await SCREENS[path]?.load()
      if (isCurrent && Screen) setLoaded({ path, Screen })
    }
    void show()
    return () => {
      isCurrent = false
    }
  }, [address.path])
  return (
    <main>
      <nav aria-label="Sections">
        {Object.entries(SCREENS).map(([path, { name }]) => (
          <a key={path} href={address.of({ path })}>
            {name}
          </a>
        ))}
      </nav>
      {loaded?.path === address.path && <loaded.Screen {...props} address={address} />}
    </main>
  )
}
