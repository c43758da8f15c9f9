// A choice of yes or no in a panel's form.

interface CheckProps {
  readonly label: string;
  readonly isOn: boolean;
  onFlip(isOn: boolean): void;
}

export const Check = ({ label, isOn, onFlip }: CheckProps) => (
  <label class="check">
    <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onFlip(currentTarget.checked)} />
    {label}
  </label>
);

export const FollowsCursor = (props: Omit<CheckProps, 'label'>) => (
  <Check label="Values at the cursor of the charts" {...props} />
);
