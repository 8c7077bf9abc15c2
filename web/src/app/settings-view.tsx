import { ProjectsPanel } from '../domains/projects/projects-panel.tsx'
import { Settings } from '../domains/settings/settings.tsx'
import { Looks } from './looks.tsx'

export const SettingsView = () => <Settings looks={<Looks />} projects={<ProjectsPanel />} />
